import type { ParsedRecipients } from "../../shared/recipients/recipients";
import type { FieldValues } from "../fields/field-reader";
import type { ReadValues } from "../guards/delivery-rules";
import type { DividedRecipients } from "../guards/divide-by-hours";
import type { CheckedRecipients, RecipientGuard } from "../guards/recipient-guard";
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

/** Opt-outs for a test, which does not use the store. @throws StoreError */
async function listsOfTest({ account }: Ready, recipients: readonly string[]): Promise<RuleLists> {
  const found = await account.ruleLists.optOuts(recipients);
  return { optOuts: async () => found, onceUses: async () => [] };
}

export class RecipientDivision {
  constructor(private readonly context: SendContext) {}

  /** @throws FieldError (or rejects with it) for a row without a number */
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

  byGuard(
    guard: RecipientGuard | null,
    { accepted }: ParsedRecipients,
    values: FieldValues,
  ): CheckedRecipients | Promise<CheckedRecipients> {
    return guard === null || accepted.length === 0
      ? { allowed: accepted, held: [] }
      : guard.check(accepted, { sms: this.context.channel.isSms?.(values) ?? false });
  }

  /** @throws FieldError, StoreError for a test */
  async byRules(ready: Ready, read: ReadValues, recipients: readonly string[]): Promise<DividedRecipients> {
    if (recipients.length === 0) {
      return { leaving: [], held: [] };
    }
    const { account, access, rules } = ready;
    const { hours, zone } = access;
    const now = Date.now();
    const asked = rules.read(read, now, zone, recipients);
    const around = { hours, zone, now };
    if (!this.context.keeps) {
      return ruleRecipients(recipients, asked, around, await listsOfTest(ready, recipients));
    }
    // The claim checks a single recipient, which saves a query for each message.
    return ruleRecipients(recipients, asked, around, recipients.length === 1 ? null : account.ruleLists);
  }
}
