import { randomBytes } from "node:crypto";
import type { NodeMessage } from "node-red";
import { fromPlain, TooLong, toPlain } from "../node-red/plain-value";

/** Bytes of a message id of Node-RED. */
const ID_BYTES = 8;

/** A message as the store keeps it. */
export interface WrittenMessage {
  /** JSON; null where the message is longer than the limit. */
  readonly text: string | null;
  /** Whether nothing of the message is missing there. */
  readonly isWhole: boolean;
}

/** @param limit characters */
export function writeMessage(msg: NodeMessage, limit: number): WrittenMessage {
  try {
    const { value, lost } = toPlain(msg, limit);
    return { text: JSON.stringify(value), isWhole: lost.length === 0 };
  } catch (error) {
    if (!(error instanceof TooLong)) {
      throw error;
    }
    return { text: null, isWhole: false };
  }
}

/** A message of its own. @param text null where it was not kept: then the message has nothing but an id */
export function readMessage(text: string | null): NodeMessage {
  const msg = text === null ? null : tryParse(text);
  return typeof msg === "object" && msg !== null
    ? (fromPlain(msg) as NodeMessage)
    : { _msgid: randomBytes(ID_BYTES).toString("hex") };
}

/** What cannot be read must not keep other messages from leaving. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A copy of a live message. What JSON cannot hold, such as `req` and `res`, is the same object in both. */
export function copyMessage(msg: NodeMessage): NodeMessage {
  const copy = fromPlain(toPlain(msg, Number.POSITIVE_INFINITY).value) as NodeMessage;
  addMissing(copy, msg);
  return copy;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Ends, since the copy has no circles. */
function addMissing(copy: object, original: object): void {
  const [to, from] = [copy, original] as Record<string, unknown>[] as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  for (const key of Object.keys(from)) {
    let value: unknown;
    try {
      value = from[key];
    } catch {
      continue;
    }
    const copied = Object.hasOwn(to, key) ? to[key] : undefined;
    if ((copied === undefined || copied === null) && value !== undefined) {
      Object.defineProperty(to, key, { value, enumerable: true, writable: true, configurable: true });
    } else if (isObject(copied) && isObject(value) && !Buffer.isBuffer(copied)) {
      addMissing(copied, value);
    }
  }
}
