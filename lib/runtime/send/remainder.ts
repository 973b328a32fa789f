import type { ParsedRecipients } from "../../shared/recipients/recipients";
import type { RequestRules } from "../../store/guards/request-rules";
import { readRecipients } from "./parts/message-parts";

/** A part that was not sent when its node was replaced. The new node sends this part and no other one. */
export interface Remainder {
  /** Checked before: digits without a plus. */
  readonly recipients: readonly string[];
  /** The id that the part has in its list. */
  readonly clientMessageId: string;
  /** What it keeps to, as read when its message came: a duration that has begun goes on. */
  readonly rules: RequestRules;
}

/** The recipients of a message; of a remainder its own, whatever the fields of the node are by now. */
export function recipientsOf(
  remainder: Remainder | undefined,
  value: unknown,
  defaultCountry: string | undefined,
): ParsedRecipients | Promise<ParsedRecipients> {
  if (remainder === undefined) {
    return readRecipients(value, defaultCountry);
  }
  return { accepted: [...remainder.recipients], rejected: [], duplicates: 0, warnings: [], empty: false };
}
