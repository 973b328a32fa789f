import type { Verdict } from "../../gateway/codec/verdict";
import type { ParsedRecipients } from "../../shared/recipients/recipients";
import { NO_RULES, type RequestRules } from "../../store/guards/request-rules";
import type { FieldValues } from "../fields/field-reader";
import type { ReadValues } from "../guards/delivery-rules";
import { type DividedRecipients, ruleRecipient } from "../guards/divide-by-hours";
import type { CheckedRecipients, GuardedMessage, RecipientGuard } from "../guards/recipient-guard";
import { type RuleLists, ruleRecipients } from "../guards/rule-recipients";
import { readAnyRecipients } from "./rows/row-recipient";
import type { SendContext } from "./send-context";
import type { Ready } from "./send-setup";

const NO_RECIPIENTS: ParsedRecipients = {
  accepted: [],
  rejected: [],
  duplicates: 0,
  warnings: [],
  empty: true,
};

/** What a test of a dialog looks up, which does not go through the store: its opt-outs. @throws StoreError */
async function listsOfTest({ account }: Ready, recipients: readonly string[]): Promise<RuleLists> {
  const found = await account.ruleLists.optOuts(recipients);
  return { optOuts: async () => found, onceUses: async () => [] };
}

/**
 * Divides the recipients of a message into those it is sent to and those it is held back from: by the guards of the
 * account, then by the delivery rules.
 */
export class RecipientDivision {
  constructor(private readonly context: SendContext) {}

  /** Reads the recipients of a message. @throws FieldError (or rejects with it) for a row without a number */
  recipients(
    values: FieldValues,
    { reader, account: { defaultCountry }, rowNumber }: Ready,
  ): ParsedRecipients | Promise<ParsedRecipients> {
    const field = this.context.channel.recipients;
    if (field === null) {
      return NO_RECIPIENTS;
    }
    const fromMessage = reader.messageProperty(field) !== null;
    return readAnyRecipients(values[field], { field, defaultCountry, rowNumber, fromMessage });
  }

  #guarded(values: FieldValues): GuardedMessage {
    return { sms: this.context.channel.isSms?.(values) ?? false };
  }

  /** Whether the only recipient of a message is sent to. */
  passes(guard: RecipientGuard, { accepted }: ParsedRecipients, values: FieldValues): boolean {
    return guard.passes(accepted[0] as string, this.#guarded(values));
  }

  byGuard(
    guard: RecipientGuard | null,
    { accepted }: ParsedRecipients,
    values: FieldValues,
  ): CheckedRecipients | Promise<CheckedRecipients> {
    return guard === null || accepted.length === 0
      ? { allowed: accepted, held: [] }
      : guard.check(accepted, this.#guarded(values));
  }

  /** The rules of a message with one recipient, or why it is not sent to. Without any rules and hours it takes no time. @throws FieldError */
  rulesOfOne(
    { rules, access }: Ready,
    read: ReadValues,
    recipients: readonly string[],
  ): RequestRules | Verdict {
    const { hours, zone } = access;
    const now = Date.now();
    const asked = rules.read(read, now, zone, recipients);
    return asked === NO_RULES && hours === null
      ? asked
      : ruleRecipient(recipients[0] as string, asked, { hours, zone, now });
  }

  /** Divides the recipients that guards let pass by the delivery rules. @throws FieldError, StoreError for a test */
  async byRules(ready: Ready, read: ReadValues, recipients: readonly string[]): Promise<DividedRecipients> {
    if (recipients.length === 0) {
      return { leaving: [], held: [] };
    }
    const { keeps } = this.context;
    const passing = keeps ? null : await listsOfTest(ready, recipients);
    if (recipients.length === 1 && passing === null) {
      const found = this.rulesOfOne(ready, read, recipients);
      return "outcome" in found
        ? { leaving: [], held: [{ recipients, verdict: found }] }
        : { leaving: [{ recipients, rules: found }], held: [] };
    }
    const { account, access } = ready;
    const { hours, zone } = access;
    const now = Date.now();
    const rules = ready.rules.read(read, now, zone, recipients);
    return ruleRecipients(recipients, rules, { hours, zone, now }, passing ?? account.ruleLists);
  }
}
