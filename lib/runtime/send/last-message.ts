import type { Node, NodeAPI, NodeMessage } from "node-red";
import { isRow } from "../../shared/personal-text/row-number";
import { messageValue } from "../fields/personal-field";
import { isSensitive } from "../node-red/sensitive";
import { boundedCopy } from "./bounded-copy";

/** The last message that reached a send node since the deploy. */
export interface ShownMessage {
  /** Epoch ms; null where there was none. */
  readonly at: number | null;
  /** A bounded copy; null where there was none, or where it was sensitive. */
  readonly message: object | null;
  /** Likewise the first of its rows; null where recipients are no rows. */
  readonly row: object | null;
}

const NONE: ShownMessage = { at: null, message: null, row: null };
/** ms for which a copy stands for the messages after it. */
const STANDS = 1_000;

const byNode = new Map<string, LastMessage>();

/** Keeps a small copy of the last message of a node, for the preview in its dialog. */
export class LastMessage {
  #shown = NONE;
  readonly #ids: readonly string[];

  private constructor(
    private readonly RED: NodeAPI,
    { id, _alias }: Node,
  ) {
    // A node in a subflow is edited in the template of the subflow.
    this.#ids = _alias === undefined ? [id] : [id, _alias];
  }

  /** A node starts. */
  static begin(RED: NodeAPI, node: Node): LastMessage {
    const last = new LastMessage(RED, node);
    for (const id of last.#ids) {
      byNode.set(id, last);
    }
    return last;
  }

  static of(node: string): ShownMessage {
    const known = byNode.get(node);
    return known === undefined ? NONE : known.#shown;
  }

  /** The node closes. */
  end(): void {
    for (const id of this.#ids) {
      if (byNode.get(id) === this) {
        byNode.delete(id);
      }
    }
  }

  /** @param path of the property that may have rows, without `msg.` */
  note(msg: NodeMessage, path: string | null): void {
    const now = Date.now();
    if (isSensitive(msg)) {
      this.#shown = { at: now, message: null, row: null };
    } else if (this.#shown.message === null || now - (this.#shown.at ?? 0) >= STANDS) {
      this.#shown = { at: now, message: boundedCopy(msg), row: this.#rowOf(msg, path) };
    }
  }

  #rowOf(msg: NodeMessage, path: string | null): object | null {
    const value = path === null ? null : messageValue(this.RED, msg, path);
    const first: unknown = Array.isArray(value) ? value.find(isRow) : value;
    return isRow(first) ? boundedCopy(first) : null;
  }
}
