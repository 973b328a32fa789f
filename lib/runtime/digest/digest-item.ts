import { createHmac } from "node:crypto";
import type { NodeMessage } from "node-red";
import { isSealed } from "../../store/schema/sealed-text";
import { fromPlain, messageToPlain, toPlain, TooLong } from "../node-red/plain-value";
import { isSensitive } from "../node-red/sensitive";
import { openText, sealText } from "../store/seal";

/** Characters of a payload that a digest lists. A longer text is cut off there; of anything else nothing is kept. */
export const LONGEST_PAYLOAD = 10_000;

/** One gathered message, as a digest lists it. */
export interface GatheredItem {
  /** Epoch ms at which it came. */
  readonly at: number;
  readonly topic: unknown;
  readonly payload: unknown;
  /** What it was gathered by. */
  readonly key: string;
}

/** A gathered message as it is kept. */
export interface WrittenItem {
  readonly key: string;
  readonly item: string;
  /** The message without its payload, whose place the text of the digest takes, and without what is too long. */
  readonly message: string;
  /** Whether it is sensitive; then it is encrypted where it is kept for longer than the process. */
  readonly sensitive: boolean;
  /** Properties of the message that are not kept, because it is too long with them. */
  readonly leftOut: readonly string[];
}

function plainOf(value: unknown, limit: number): unknown {
  try {
    return typeof value === "string" ? value.slice(0, limit) : toPlain(value, limit).value;
  } catch (error) {
    if (error instanceof TooLong) {
      return null;
    }
    throw error;
  }
}

/** A message as JSON, and which of its properties are not in it because it would be too long. */
interface WrittenBase {
  readonly message: string;
  readonly leftOut: readonly string[];
}

/** Without its largest properties, where all of them are too long. */
function writeBase(msg: NodeMessage, limit: number): WrittenBase {
  const {
    payload: _payload,
    parts: _parts,
    digest: _digest,
    ...base
  } = msg as NodeMessage & {
    parts?: unknown;
    digest?: unknown;
  };
  const whole = plainBase(base, limit);
  if (whole !== null) {
    return { message: whole, leftOut: [] };
  }
  const properties = Object.entries(base).map(([name, value]) => ({
    name,
    value,
    length: plainBase({ [name]: value }, limit)?.length ?? Number.POSITIVE_INFINITY,
  }));
  let left = limit;
  const [kept, leftOut] = [[] as [string, unknown][], [] as string[]];
  for (const { name, value, length } of properties.sort((a, b) => a.length - b.length)) {
    left -= length;
    if (left < 0) {
      leftOut.push(name);
    } else {
      kept.push([name, value]);
    }
  }
  const message = plainBase(Object.fromEntries(kept), Number.POSITIVE_INFINITY) ?? "{}";
  return { message, leftOut };
}

/** @returns JSON; null where it is too long */
function plainBase(base: object, limit: number): string | null {
  try {
    return JSON.stringify(messageToPlain(base, limit).value);
  } catch (error) {
    if (error instanceof TooLong) {
      return null;
    }
    throw error;
  }
}

/** What an encrypted text belongs to. @param key as it is stored */
const ownerOf = (node: string, key: string): string => `digest ${JSON.stringify([node, key])}`;

/**
 * Writes a message for the store.
 * @param limit characters of the message without its payload
 * @param secret 32 bytes, for a sensitive message: then nothing is readable, and its key is a keyed hash; null for others
 */
export function writeItem(
  msg: NodeMessage & { topic?: unknown },
  { node, key, at }: { readonly node: string; readonly key: string; readonly at: number },
  limit: number,
  secret: Buffer | null,
): WrittenItem {
  const { topic, payload } = msg;
  const gathered: GatheredItem = {
    at,
    key,
    topic: plainOf(topic, LONGEST_PAYLOAD),
    payload: plainOf(payload, LONGEST_PAYLOAD),
  };
  const item = JSON.stringify(gathered);
  const { message, leftOut } = writeBase(msg, limit);
  const sensitive = isSensitive(msg);
  if (secret === null) {
    return { key, item, message, sensitive, leftOut };
  }
  const hidden = hiddenKey(secret, key);
  const seal = (text: string): string => sealText(secret, ownerOf(node, hidden), text);
  return { key: hidden, item: seal(item), message: seal(message), sensitive, leftOut };
}

/** What stands in the store in the place of the key of a sensitive message. */
export const hiddenKey = (secret: Buffer, key: string): string =>
  `hidden:${createHmac("sha256", secret).update(`digest ${key}`).digest("base64url")}`;

/**
 * Reads what `writeItem` has written.
 * @param key as it is stored
 * @param secret null where it is not there
 * @returns null for what cannot be decrypted
 */
export function readWritten(
  text: string,
  { node, key }: { readonly node: string; readonly key: string },
  secret: Buffer | null,
): unknown {
  const opened = !isSealed(text) ? text : secret === null ? null : openText(secret, ownerOf(node, key), text);
  return opened === null ? null : fromPlain(JSON.parse(opened));
}
