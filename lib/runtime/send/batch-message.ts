import type { NodeAPI, NodeMessage } from "node-red";

/** The parts of a sequence as Split and Join use them. */
interface Parts {
  readonly id: string;
  readonly index: number;
  readonly count: number;
  readonly type: "array";
  readonly property: string;
  readonly parts?: unknown;
}

export type FlowMessage = NodeMessage;

/** Stamps each message of a split with its place, on top of a place it may have had before. */
export class PartsStamp {
  readonly #id: string;

  constructor(
    RED: NodeAPI,
    private readonly count: number,
    private readonly property: string,
    private readonly outer: unknown,
  ) {
    this.#id = RED.util.generateId();
  }

  at(index: number): Parts {
    return {
      id: this.#id,
      index,
      count: this.count,
      type: "array",
      property: this.property,
      ...(this.outer !== undefined && { parts: this.outer }),
    };
  }
}

/**
 * Copies a message so that one property can differ: the top and what lies on the way to the property are new,
 * everything else is shared.
 */
export function withProperty(RED: NodeAPI, msg: FlowMessage, path: string, value: unknown): FlowMessage {
  const copy: FlowMessage = { ...msg };
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
