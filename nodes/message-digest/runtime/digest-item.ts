import type { NodeMessage } from "node-red";
import { messageToPlain, toPlain, TooLong } from "../../../lib/runtime/node-red/plain-value";

/** Characters of a payload that a digest lists. A longer text is cut off there; of anything else nothing is kept. */
export const LONGEST_PAYLOAD = 10_000;

/** One gathered message, as a digest lists it. */
export interface GatheredItem {
  /** Epoch ms at which it came. */
  readonly at: number;
  readonly topic: unknown;
  readonly payload: unknown;
}

/** A gathered message as it is kept. */
export interface WrittenItem {
  readonly item: string;
  /** The message without its payload, whose place the text of the digest takes, and without what is too long. */
  readonly message: string;
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

/** Writes a message for the store. @param limit characters of the message without its payload */
export function writeItem(msg: NodeMessage & { topic?: unknown }, at: number, limit: number): WrittenItem {
  const { topic, payload } = msg;
  const gathered: GatheredItem = {
    at,
    topic: plainOf(topic, LONGEST_PAYLOAD),
    payload: plainOf(payload, LONGEST_PAYLOAD),
  };
  return { item: JSON.stringify(gathered), ...writeBase(msg, limit) };
}
