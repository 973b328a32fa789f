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

const entriesOf = (value: object): [string, unknown][] =>
  Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

/** Fields and those of their objects in the order of their names, so that the order in which a flow sets them does not matter. */
const sorted = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(entriesOf(value))
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

/** As `contentOf`, in the order of the names, where no value is an object or a list; else null. */
function flatContent(fields: FieldValues): FieldValues | null {
  const content: FieldValues = {};
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name];
    if (typeof value === "object" && value !== null) {
      return null;
    }
    if (!NOT_CONTENT.has(name)) {
      content[name] = value;
    }
  }
  return content;
}

/** The content that was looked at last: mostly one text goes to many people. */
let latest = { text: "", hash: "" };

/**
 * Tells contents of messages apart: equal for the same text, template, values, files and sender, whoever gets the message, and by
 * whichever of the SMS endpoints.
 * @param channel name of the channel
 * @param fields of a request, or of one without recipients and ids
 */
export function contentHash(channel: string, fields: FieldValues): string {
  const flat = flatContent(fields);
  const text =
    flat === null
      ? JSON.stringify([channel, withoutContact(contentOf(fields))], sorted)
      : JSON.stringify([channel, flat]);
  if (text !== latest.text) {
    latest = { text, hash: hash("sha256", text, "base64url").slice(0, LENGTH) };
  }
  return latest.hash;
}
