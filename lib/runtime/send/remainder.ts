import type { ParsedRecipients } from "../../shared/recipients/recipients";
import type { RequestRules } from "../../store/guards/request-rules";
import type { FieldValues } from "../fields/field-reader";
import { readAnyRecipients } from "./rows/row-recipient";
import type { Ready } from "./send-setup";

/** A part that was not sent when its node was replaced. The new node sends this part and no other one. */
export interface Remainder {
  /** Checked before: digits without a plus. */
  readonly recipients: readonly string[];
  /** The id that the part has in its list. */
  readonly clientMessageId: string;
  /** What it keeps to, as read when its message came: a duration that has begun goes on. */
  readonly rules: RequestRules;
}

/**
 * The recipients of a message; of a remainder its own, whatever the fields of the node are by now.
 * @param field name of the field with the recipients
 * @throws FieldError (or rejects with it) for a row whose number cannot be found
 */
export function recipientsOf(
  remainder: Remainder | undefined,
  values: FieldValues,
  field: string,
  { reader, account: { defaultCountry }, rowNumber }: Ready,
): ParsedRecipients | Promise<ParsedRecipients> {
  if (remainder === undefined) {
    const fromMessage = reader.messageProperty(field) !== null;
    return readAnyRecipients(values[field], { field, defaultCountry, rowNumber, fromMessage });
  }
  return { accepted: [...remainder.recipients], rejected: [], duplicates: 0, warnings: [], empty: false };
}
