import type { Verdict } from "../../gateway/codec/verdict";
import { inSlices } from "../../shared/async/in-slices";
import { StoreError } from "../../store/engine/store-error";
import type { KeyUse } from "../../store/guards/idempotency-keys";
import { isUnwanted, type OptOut } from "../../store/guards/opt-outs";
import type { RequestRules } from "../../store/guards/request-rules";
import { divideByHours, type DividedRecipients, type RuleSurroundings } from "./divide-by-hours";
import { groupRecipients } from "./group-recipients";
import { blockVerdictOf } from "./block-verdict-of";
import type { HeldRecipients } from "./recipient-guard";

/** Where recipients are looked up before a message is taken. */
export interface RuleLists {
  /** Those of the numbers that are in the list. @throws StoreError */
  optOuts(numbers: readonly string[]): Promise<readonly OptOut[]>;
  /** The uses of a once key for those of the numbers for which it is in use. @throws StoreError */
  onceUses(key: string, numbers: readonly string[]): Promise<readonly KeyUse[]>;
}

/** A store that does not answer now is asked again when the message leaves. */
async function lookUp<Entry>(looking: Promise<readonly Entry[]>): Promise<readonly Entry[]> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof StoreError) {
      return [];
    }
    throw error;
  }
}

/** Recipients of which some are held back, one reason after the other. */
class Splitting {
  readonly held: HeldRecipients[] = [];

  constructor(public left: readonly string[]) {}

  /**
   * Splits those off that have an entry for a reason.
   * @param verdictOf gets them in the order of the message, and their entries
   */
  async holdBack<Entry extends { readonly number: string }>(
    entries: readonly Entry[],
    isReason: (entry: Entry) => boolean,
    verdictOf: (recipients: readonly string[], entries: readonly Entry[]) => Verdict,
  ): Promise<void> {
    const found = new Map<string, Entry>();
    await inSlices(entries, (slice) => {
      for (const entry of slice) {
        if (isReason(entry)) {
          found.set(entry.number, entry);
        }
      }
    });
    if (found.size === 0) {
      return;
    }
    const { allowed, held } = await groupRecipients(this.left, (each) => (found.has(each) ? true : null));
    const recipients = held.get(true) ?? [];
    if (recipients.length === 0) {
      return;
    }
    const reasons: Entry[] = [];
    await inSlices(recipients, (slice) => {
      for (const each of slice) {
        reasons.push(found.get(each) as Entry);
      }
    });
    this.left = allowed;
    this.held.push({ recipients, verdict: verdictOf(recipients, reasons) });
  }
}

/**
 * Divides the recipients of a message by its delivery rules: those that leave, grouped by time zone where hours count, and those that
 * are held back, a group for each reason. All of it is looked at again when the message leaves.
 * @param lists null where nothing is looked up
 * @throws SetupError (as a rejection)
 */
export async function ruleRecipients(
  recipients: readonly string[],
  rules: RequestRules,
  around: RuleSurroundings,
  lists: RuleLists | null,
): Promise<DividedRecipients> {
  const splitting = new Splitting(recipients);
  if (lists !== null && !rules.alsoOptedOut) {
    const found = await lookUp(lists.optOuts(splitting.left));
    await splitting.holdBack(
      found,
      ({ scope }) => isUnwanted(scope, rules.category),
      (numbers) => blockVerdictOf({ fault: "OPTED_OUT", numbers }),
    );
  }
  const { once, scheduled } = rules;
  // A key that is in use now may be free when a scheduled message leaves.
  if (lists !== null && once !== null && scheduled === null && splitting.left.length > 0) {
    const found = await lookUp(lists.onceUses(once.key, splitting.left));
    const { zone } = around;
    await splitting.holdBack(
      found,
      ({ hash }) => hash === once.hash,
      (_numbers, uses) => blockVerdictOf({ fault: "ALREADY_SENT", uses, zone }),
    );
    await splitting.holdBack(
      found,
      ({ hash }) => hash !== once.hash,
      (_numbers, uses) => blockVerdictOf({ fault: "KEY_REUSED", uses, zone }),
    );
  }
  const { left, held } = splitting;
  if (left.length === 0) {
    return { leaving: [], held };
  }
  const divided = await divideByHours(left, rules, around);
  return { leaving: divided.leaving, held: [...held, ...divided.held] };
}
