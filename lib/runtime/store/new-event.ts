import { createHash } from "node:crypto";
import { isInstant } from "../../shared/instant";
import type { NewEvent } from "../../store/deliveries";
import type { LedgerEntry } from "../../webhook/event-ledger";
import { senderDigits } from "./sender-digits";

/** Characters of a text of the service; ids and statuses are far shorter. */
const LONGEST_TEXT = 256;
const PLAIN = /^[\x20-\x7e]+$/;

/**
 * A text that every database takes: without the NUL character and halves of characters.
 * @returns null for anything else, and for a blank text
 */
function textOf(value: unknown): string | null {
  if (typeof value !== "string") {
    return null;
  }
  const text = Buffer.from(value.slice(0, LONGEST_TEXT)).toString().replaceAll("\0", "").trim();
  return text === "" ? null : text;
}

/** A key of an event as every database takes it. Different keys stay different. */
export const storedKey = (key: string): string =>
  PLAIN.test(key) ? key : `sha256:${createHash("sha256").update(JSON.stringify(key)).digest("base64url")}`;

/**
 * An event of a webhook as the store notes it.
 * @param key the same for every copy of the event, unique in its account otherwise
 * @param keepTexts whether the event itself is kept
 * @returns null for JSON that is no event
 */
export function newEvent(
  { kind, sender, payload, optOut }: LedgerEntry,
  key: string,
  keepTexts: boolean,
): NewEvent | null {
  if (kind === "unrecognised") {
    return null;
  }
  const fields = payload as Readonly<Record<string, unknown>>;
  const isInbound = kind === "inbound";
  const { deliveredOn } = fields;
  return {
    key,
    kind,
    number: senderDigits(sender),
    clientMessageId: isInbound ? null : textOf(fields.clientMessageId),
    transferId: isInbound ? null : textOf(fields.transferId),
    status: isInbound
      ? null
      : textOf(kind === "report" ? fields.deliveryReportMessageStatus : fields.messageStatus),
    at: typeof deliveredOn === "string" && isInstant(deliveredOn) ? Date.parse(deliveredOn) : null,
    body: keepTexts ? JSON.stringify(payload) : null,
    optOut,
    reply: null,
  };
}
