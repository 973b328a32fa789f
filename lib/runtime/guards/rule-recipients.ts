import { inSlices } from "../../shared/async/in-slices";
import { StoreError } from "../../store/engine/store-error";
import type { KeyUse } from "../../store/guards/idempotency-keys";
import { isUnwanted, type OptOut } from "../../store/guards/opt-outs";
import type { RequestRules } from "../../store/guards/request-rules";
import { divideByHours, type DividedRecipients, type RuleSurroundings } from "./divide-by-hours";
import { groupRecipients } from "./group-recipients";
import { type BlockReason, blockVerdictOf } from "./block-verdict-of";
import type { HeldRecipients } from "./recipient-guard";

/** Lists that are checked before a message is accepted. */
export interface RuleLists {
  /** @throws StoreError */
  optOuts(numbers: readonly string[]): Promise<readonly OptOut[]>;
  /** @throws StoreError */
  onceUses(key: string, numbers: readonly string[]): Promise<readonly KeyUse[]>;
}

/** Ignores a store that fails: the claim checks again. */
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

const FAULTS = ["OPTED_OUT", "ALREADY_SENT", "KEY_REUSED"] as const;

/** Indexes entries by number, in slices. */
async function byNumber<Entry extends { readonly number: string }>(
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, Entry>> {
  const found = new Map<string, Entry>();
  await inSlices(entries, (slice) => {
    for (const entry of slice) {
      found.set(entry.number, entry);
    }
  });
  return found;
}

/**
 * Splits the recipients of a message by its delivery rules: allowed ones by time zone if hours count, and blocked ones by reason. The rules
 * are checked again before each send.
 * @param lists null if nothing is looked up
 * @throws SetupError (as a rejection)
 */
export async function ruleRecipients(
  recipients: readonly string[],
  rules: RequestRules,
  around: RuleSurroundings,
  lists: RuleLists | null,
): Promise<DividedRecipients> {
  const { once, scheduled, alsoOptedOut, category } = rules;
  const optOuts = await byNumber(
    lists === null || alsoOptedOut ? [] : await lookUp(lists.optOuts(recipients)),
  );
  // A key in use may be free when a scheduled message is sent.
  const uses = await byNumber(
    lists === null || once === null || scheduled !== null
      ? []
      : await lookUp(lists.onceUses(once.key, recipients)),
  );
  const { allowed, held: blocked } = await groupRecipients(recipients, (recipient) => {
    const optOut = optOuts.get(recipient);
    if (optOut !== undefined && isUnwanted(optOut.scope, category)) {
      return "OPTED_OUT";
    }
    const use = uses.get(recipient);
    return use === undefined ? null : use.hash === once?.hash ? "ALREADY_SENT" : "KEY_REUSED";
  });
  const held = FAULTS.flatMap((fault): HeldRecipients[] => {
    const numbers = blocked.get(fault);
    if (numbers === undefined) {
      return [];
    }
    const reason: BlockReason =
      fault === "OPTED_OUT"
        ? { fault, numbers }
        : { fault, uses: numbers.map((number) => uses.get(number) as KeyUse), zone: around.zone };
    return [{ recipients: numbers, verdict: blockVerdictOf(reason) }];
  });
  if (allowed.length === 0) {
    return { leaving: [], held };
  }
  const divided = await divideByHours(allowed, rules, around);
  return { leaving: divided.leaving, held: [...held, ...divided.held] };
}
