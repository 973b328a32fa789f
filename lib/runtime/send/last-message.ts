import type { Node, NodeAPI, NodeMessage } from "node-red";
import { isRow } from "../../shared/personal-text/row-number";
import { messageValue } from "../fields/message-value";
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

/** A copy of the first level only, which runs no code of the flow: a getter is left out. */
function ownValues(msg: NodeMessage): NodeMessage {
  const copied: Record<string, unknown> = {};
  for (const name of Object.keys(msg)) {
    const value: unknown = Object.getOwnPropertyDescriptor(msg, name)?.value;
    if (value !== undefined && name !== "__proto__") {
      copied[name] = value;
    }
  }
  return copied as NodeMessage;
}

const byNode = new Map<string, LastMessage>();

/** Keeps a small copy of the last message of a node, for the preview in its dialog. */
export class LastMessage {
  #shown = NONE;
  /** The latest message of the time for which the copy stands; it is copied when that is over, so that the last one of a burst is shown. */
  #waiting: { readonly msg: NodeMessage; readonly path: string | null; readonly at: number } | null = null;
  #timer: NodeJS.Timeout | null = null;
  readonly #ids: readonly string[];

  private constructor(
    private readonly RED: NodeAPI,
    { id, _alias }: Node,
  ) {
    // A node in a subflow is edited in the template of the subflow.
    this.#ids = _alias === undefined ? [id] : [id, _alias];
  }

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

  end(): void {
    this.#forget();
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
      this.#forget();
      this.#shown = { at: now, message: null, row: null };
    } else if (this.#shown.message === null || now - (this.#shown.at ?? 0) >= STANDS) {
      this.#forget();
      this.#show(msg, path, now);
    } else {
      // The flow may give it other properties meanwhile.
      this.#waiting = { msg: ownValues(msg), path, at: now };
      this.#timer ??= setTimeout(() => this.#showWaiting(), STANDS).unref();
    }
  }

  #show(msg: NodeMessage, path: string | null, at: number): void {
    this.#shown = { at, message: boundedCopy(msg), row: this.#rowOf(msg, path) };
  }

  #showWaiting(): void {
    const waiting = this.#waiting;
    this.#forget();
    if (waiting !== null) {
      this.#show(waiting.msg, waiting.path, waiting.at);
    }
  }

  #forget(): void {
    this.#waiting = null;
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
  }

  #rowOf(msg: NodeMessage, path: string | null): object | null {
    const value = path === null ? null : messageValue(this.RED, msg, path);
    const first: unknown = Array.isArray(value) ? value.find(isRow) : value;
    return isRow(first) ? boundedCopy(first) : null;
  }
}
