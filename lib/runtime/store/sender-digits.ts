import { withoutTrunkZero } from "../../shared/recipients/national-number";
import { INTERNATIONAL_DIGITS, readSpelling } from "../../shared/recipients/phone-number";
import { messengerOfEvent } from "../../webhook/channel-of-event";
import type { LedgerEntry } from "../../webhook/event-ledger";

/**
 * The digits of the phone number in an event, as recipients and opt-outs are kept: `+41 79 000 00 01` of a messenger and
 * `41790000001` of an SMS are the same person. A messenger that is no telephone has ids of digits too, so its numbers are those
 * with a plus.
 * @returns null for anything else, such as the id of a messenger's user
 */
export function senderDigits({
  kind,
  sender,
  payload,
}: Pick<LedgerEntry, "kind" | "sender" | "payload">): string | null {
  if (sender === null || (messengerOfEvent(kind, payload) !== null && !sender.trim().startsWith("+"))) {
    return null;
  }
  const spelling = readSpelling(sender);
  return "digits" in spelling && INTERNATIONAL_DIGITS.test(spelling.digits)
    ? (withoutTrunkZero(spelling.digits) ?? spelling.digits)
    : null;
}
