import { hash } from "node:crypto";
import type { FieldValues } from "../fields/field-reader";

/** Fields that say to whom, for how long, how urgently or with which ids a message is sent: the content is the same without them. */
const NOT_CONTENT: ReadonlySet<string> = new Set([
  "recipient",
  "recipients",
  "recipientAddressList",
  "messageContact",
  "clientMessageId",
  "notificationCallbackUrl",
  "validityPeriode",
  "expiry",
  "priority",
  "maxSmsPerMessage",
  "test",
]);

/** Characters: 128 bits, far more than chance finds twice. */
const LENGTH = 22;

/** Sorts fields by name, because flows set them in any order. */
const sorted = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const contentOf = (fields: FieldValues): FieldValues =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !NOT_CONTENT.has(name)));

/** The two objects of an RCS payload, one of which is the recipient. */
function withoutContact({ rcsPayload, ...fields }: FieldValues): FieldValues {
  if (typeof rcsPayload !== "object" || rcsPayload === null) {
    return { ...fields, rcsPayload };
  }
  const { RCSMessage, ...rest } = contentOf(rcsPayload as FieldValues);
  const message =
    typeof RCSMessage === "object" && RCSMessage !== null ? contentOf(RCSMessage as FieldValues) : RCSMessage;
  return { ...fields, rcsPayload: { ...rest, RCSMessage: message } };
}

/**
 * Tells contents of messages apart: equal for the same text, template, values, files and sender, whoever gets the message, and by
 * whichever of the SMS endpoints.
 * @param channel name of the channel
 * @param fields of a request, or of one without recipients and ids
 */
export function contentHash(channel: string, fields: FieldValues): string {
  const text = JSON.stringify([channel, withoutContact(contentOf(fields))], sorted);
  return hash("sha256", text, "base64url").slice(0, LENGTH);
}
