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

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null;

/** A content of texts and numbers alone, with its hash. */
class KnownContent {
  constructor(
    private readonly channel: string,
    private readonly content: FieldValues,
    readonly hash: string,
  ) {}

  /** Whether fields have this content, whatever their order. */
  isOf(channel: string, fields: FieldValues): boolean {
    let left = Object.keys(this.content).length;
    for (const name of Object.keys(fields)) {
      if (!NOT_CONTENT.has(name)) {
        const value = fields[name];
        if (!isPlain(value) || !Object.hasOwn(this.content, name) || this.content[name] !== value) {
          return false;
        }
        left--;
      }
    }
    return left === 0 && channel === this.channel;
  }
}

/** The content that was looked at last: mostly one text goes to many people. */
let latest: KnownContent | null = null;

/**
 * Tells contents of messages apart: equal for the same text, template, values, files and sender, whoever gets the message, and by
 * whichever of the SMS endpoints.
 * @param channel name of the channel
 * @param fields of a request, or of one without recipients and ids
 */
export function contentHash(channel: string, fields: FieldValues): string {
  if (latest?.isOf(channel, fields)) {
    return latest.hash;
  }
  const content = contentOf(fields);
  const plain = Object.values(content).every(isPlain);
  // A function that sorts takes longer than all the rest.
  const text = plain
    ? JSON.stringify([channel, Object.fromEntries(entriesOf(content))])
    : JSON.stringify([channel, withoutContact(content)], sorted);
  const found = hash("sha256", text, "base64url").slice(0, LENGTH);
  if (plain) {
    latest = new KnownContent(channel, content, found);
  }
  return found;
}
