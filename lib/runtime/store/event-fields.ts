import { withoutTrunkZero } from "../../shared/recipients/national-number";
import { INTERNATIONAL_DIGITS, readSpelling } from "../../shared/recipients/phone-number";
import type { NewReply } from "../../store/waits/wait";
import { getEventChannel, getEventMessenger } from "../../webhook/event-channel";
import type { EventKind } from "../../webhook/classify-event";
import type { LedgerEntry } from "../../webhook/event-ledger";

/** Payloads have the service's field names. */

type Fields = Readonly<Record<string, unknown>>;

/** Characters; ids and statuses of the service are far shorter. */
const LONGEST = 256;

/** Removes the NUL character and halves of characters, which databases refuse. Null for a blank text. */
export function eventText(value: unknown): string | null {
  if (typeof value !== "string") {
    return null;
  }
  const text = Buffer.from(value.slice(0, LONGEST)).toString().replaceAll("\0", "").trim();
  return text === "" ? null : text;
}

/** Returns the text of an inbound event or of a tapped suggestion; null without one. */
export function inboundText(payload: unknown): string | null {
  const { textMessageContent, content } = payload as Fields;
  const text = textMessageContent ?? content;
  return typeof text === "string" ? text : null;
}

/** Digits of a phone number. Ids of a messenger are digits too, so its numbers need a plus; null for such ids. */
export function senderDigits({
  kind,
  sender,
  payload,
}: Pick<LedgerEntry, "kind" | "sender" | "payload">): string | null {
  if (sender === null || (getEventMessenger(kind, payload) !== null && !sender.trim().startsWith("+"))) {
    return null;
  }
  const spelling = readSpelling(sender);
  return "digits" in spelling && INTERNATIONAL_DIGITS.test(spelling.digits)
    ? (withoutTrunkZero(spelling.digits) ?? spelling.digits)
    : null;
}

/** Separators of recipients, and the sign of the escapes. */
const ESCAPED = /[%,;\s\p{C}]/gu;

const escaped = (value: unknown): string | null =>
  eventText(value)?.replace(ESCAPED, encodeURIComponent) ?? null;

/** Returns the number with plus, or `messenger:id`, escaped so that it is one recipient and never a number. */
export function eventPerson(event: Pick<LedgerEntry, "kind" | "sender" | "payload">): string | null {
  const digits = senderDigits(event);
  if (digits !== null) {
    return `+${digits}`;
  }
  const messenger = escaped(getEventMessenger(event.kind, event.payload)?.toLowerCase());
  const user = escaped(event.sender);
  return messenger === null || user === null ? null : `${messenger}:${user}`;
}

/** Returns null for other events, for a binary SMS and for other messengers. */
export function readReply(kind: EventKind, payload: unknown): NewReply | null {
  if (kind !== "inbound") {
    return null;
  }
  const { textMessageContent } = payload as Fields;
  const channel = getEventChannel(kind, payload);
  if (channel === null || (channel === "sms" && typeof textMessageContent !== "string")) {
    return null;
  }
  return { channel, body: JSON.stringify(payload) };
}
