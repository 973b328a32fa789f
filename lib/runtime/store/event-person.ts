import { messengerOfEvent } from "../../webhook/channel-of-event";
import type { LedgerEntry } from "../../webhook/event-ledger";
import { eventText } from "./event-text";
import { senderDigits } from "./sender-digits";

/** What would make two recipients of one text, and the sign of the escapes. */
const ESCAPED = /[%,;\s\p{C}]/gu;

const written = (value: unknown): string | null =>
  eventText(value)?.replace(ESCAPED, encodeURIComponent) ?? null;

/**
 * The person of an event, written in one way whatever the channel: the phone number with plus, or of a messenger whose people have ids
 * messenger and id, such as `telegram:41790000099`. In the latter separators of recipients, blanks and invisible characters are
 * percent-encoded, so that it is one recipient and never a number.
 * @returns null for events without either
 */
export function eventPerson(event: Pick<LedgerEntry, "kind" | "sender" | "payload">): string | null {
  const digits = senderDigits(event);
  if (digits !== null) {
    return `+${digits}`;
  }
  const messenger = written(messengerOfEvent(event.kind, event.payload)?.toLowerCase());
  const user = written(event.sender);
  return messenger === null || user === null ? null : `${messenger}:${user}`;
}
