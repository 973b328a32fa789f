import { randomBytes } from "node:crypto";
import type { NodeMessage } from "node-red";
import { isSensitive } from "../node-red/sensitive";
import { fromPlain, messageToPlain, TooLong } from "../node-red/plain-value";

/** Bytes of a message id of Node-RED. */
const ID_BYTES = 8;

/** A message as the store keeps it. */
export interface WrittenMessage {
  /** JSON; null where the message is longer than the limit. */
  readonly text: string | null;
  /** Whether nothing of the message is missing there. */
  readonly isWhole: boolean;
}

/** Of a sensitive message nothing but its id is written. @param limit characters */
export function writeMessage(msg: NodeMessage, limit: number): WrittenMessage {
  if (isSensitive(msg)) {
    return { text: JSON.stringify({ _msgid: msg._msgid, sensitive: true }), isWhole: false };
  }
  try {
    const { value, lost } = messageToPlain(msg, limit);
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
