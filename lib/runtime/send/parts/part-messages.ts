import type { NodeAPI, NodeMessage } from "node-red";
import type { Part } from "./message-parts";

/** `msg.parts` as the Split and Join nodes use it. */
interface Parts {
  readonly id: string;
  readonly index: number;
  readonly count: number;
  readonly type: "array";
  readonly property: string;
  /** Path of the property with the row; absent if the split was not by rows. */
  readonly rows?: string;
  readonly parts?: unknown;
}

/** Parts of a group that continues without emitted ones. */
interface Rest {
  readonly id: string;
  readonly count: number;
  readonly places: Map<number, number>;
}

/** Stamps the messages of a split. Earlier `msg.parts` move to `parts.parts`. */
export class PartsStamp {
  #rest: Rest | null = null;

  /** @param rows path of the property with the rows; null for another split */
  constructor(
    readonly id: string,
    readonly count: number,
    readonly property: string,
    readonly outer: unknown,
    readonly rows: string | null = null,
  ) {}

  /** Makes the remaining parts a group of their own, in order of emission. */
  regroup(id: string, count: number): void {
    this.#rest = { id, count, places: new Map() };
  }

  at(index: number): Parts {
    const { places } = this.#rest ?? {};
    const place = places?.get(index) ?? places?.size ?? index;
    places?.set(index, place);
    const { id, count } = this.#rest ?? this;
    return {
      id,
      index: place,
      count,
      type: "array",
      property: this.property,
      ...(this.rows !== null && { rows: this.rows }),
      ...(this.outer !== undefined && { parts: this.outer }),
    };
  }
}

/** Copies a message and the objects on a path; everything else is shared. */
export function withProperty(RED: NodeAPI, msg: NodeMessage, path: string, value: unknown): NodeMessage {
  const copy: NodeMessage = { ...msg };
  const keys = RED.util.normalisePropertyExpression(path, msg);
  let level = copy as Record<string | number, unknown>;
  for (const key of keys.slice(0, -1)) {
    const inner = level[key];
    level[key] = Array.isArray(inner) ? [...inner] : { ...(inner as object) };
    level = level[key] as Record<string | number, unknown>;
  }
  const last = keys.at(-1);
  if (last !== undefined) {
    level[last] = value;
  }
  return copy;
}

export interface MessagePlaces {
  /** Property of `msg`; null if recipients do not come from the message. */
  readonly list: string | null;
  /** Property of `msg` with the client message id, or null. */
  readonly id: string | null;
}

/** Returns the original message, or a copy for each part of several. */
export function partMessage(
  RED: NodeAPI,
  msg: NodeMessage,
  places: MessagePlaces,
  stamp: PartsStamp | null,
  part: Part,
  clientMessageId: string | null,
): NodeMessage {
  if (stamp === null && part.late === undefined && part.divided !== true) {
    if (places.id !== null && clientMessageId !== null) {
      RED.util.setMessageProperty(msg, places.id, clientMessageId, true);
    }
    return msg;
  }
  let message = places.list === null ? { ...msg } : withProperty(RED, msg, places.list, part.recipients);
  if (places.id !== null && clientMessageId !== null) {
    message = withProperty(RED, message, places.id, clientMessageId);
  }
  if (part.late !== undefined) {
    delete message.parts;
  } else if (stamp !== null) {
    message.parts = stamp.at(part.index);
  }
  return message;
}
