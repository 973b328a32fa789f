import { withoutTrunkZero } from "../../shared/recipients/national-number";
import { INTERNATIONAL_DIGITS, readSpelling } from "../../shared/recipients/phone-number";
import type { NewReply } from "../../store/waits/wait";
import { channelOfEvent, messengerOfEvent } from "../../webhook/channel-of-event";
import type { EventKind } from "../../webhook/classify-event";
import type { LedgerEntry } from "../../webhook/event-ledger";

/** What the store and flows read out of the events of webhooks. Payloads are in the service's field names. */

type Fields = Readonly<Record<string, unknown>>;

/** Characters of a text of the service; ids and statuses are far shorter. */
const LONGEST = 256;

/**
 * A field of an event as every database takes it: without the NUL character and halves of characters.
 * @returns null for anything that is no text, and for a blank text
 */
export function eventText(value: unknown): string | null {
  if (typeof value !== "string") {
    return null;
  }
  const text = Buffer.from(value.slice(0, LONGEST)).toString().replaceAll("\0", "").trim();
  return text === "" ? null : text;
}

/**
 * What a person wrote, or the text of a suggestion that was tapped.
 * @param payload an inbound event
 * @returns null where there is no text, as for a picture without words
 */
export function inboundText(payload: unknown): string | null {
  const { textMessageContent, content } = payload as Fields;
  const text = textMessageContent ?? content;
  return typeof text === "string" ? text : null;
}

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

/** What would make two recipients of one text, and the sign of the escapes. */
const ESCAPED = /[%,;\s\p{C}]/gu;

const escaped = (value: unknown): string | null =>
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
  const messenger = escaped(messengerOfEvent(event.kind, event.payload)?.toLowerCase());
  const user = escaped(event.sender);
  return messenger === null || user === null ? null : `${messenger}:${user}`;
}

/**
 * The reply that an event is: a text SMS, or a message of WhatsApp or RCS, with or without words.
 * @returns null for other events, for a binary SMS and for other messengers
 */
export function readReply(kind: EventKind, payload: unknown): NewReply | null {
  if (kind !== "inbound") {
    return null;
  }
  const { textMessageContent } = payload as Fields;
  const channel = channelOfEvent(kind, payload);
  if (channel === null || (channel === "sms" && typeof textMessageContent !== "string")) {
    return null;
  }
  return { channel, body: JSON.stringify(payload) };
}
