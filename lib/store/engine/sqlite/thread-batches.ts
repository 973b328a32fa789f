import type { Statement } from "../../schema/statement";
import type { Call, Rows } from "../engine";
import type { StoreError } from "../store-error";
import type { Batch, NumberedCall } from "./sqlite-protocol";

/** Batches that the thread may have at once: what comes while it writes one is there when it is done, and shares the next commit. */
const AHEAD = 16;

/** An operation with those who wait for it. */
export interface Waiting {
  readonly calls: readonly Call[];
  readonly wake: readonly string[];
  readonly resolve: (rows: readonly Rows[]) => void;
  readonly reject: (error: StoreError) => void;
}

/** The operations for the next batch of a thread, and those that the thread has. */
export class ThreadBatches {
  #next: Waiting[] = [];
  readonly #sent = new Map<number, Waiting>();
  #lastId = 0;
  /** Operations of each sent batch that are not answered. */
  #sizes: number[] = [];
  /** Numbers of the statements that the thread knows. */
  readonly #known = new Map<Statement, number>();

  /** Whether the thread has as many batches as it may. */
  get isFull(): boolean {
    return this.#sizes.length >= AHEAD;
  }

  get hasNext(): boolean {
    return this.#next.length > 0;
  }

  get hasSent(): boolean {
    return this.#sent.size > 0;
  }

  add(waiting: Waiting): void {
    this.#next.push(waiting);
  }

  /** Makes a batch of all that was added. */
  send(): Batch {
    const texts: [number, string][] = [];
    const operations = this.takeNext().map((each) => {
      this.#sent.set(++this.#lastId, each);
      return [this.#lastId, each.calls.map((call) => this.#number(call, texts))] as const;
    });
    this.#sizes.push(operations.length);
    return { texts, operations };
  }

  #number({ statement, values, entries }: Call, texts: [number, string][]): NumberedCall {
    let number = this.#known.get(statement);
    if (number === undefined) {
      number = this.#known.size;
      this.#known.set(statement, number);
      texts.push([number, statement.text("sqlite")]);
    }
    return [number, values, entries];
  }

  /** What was added and not sent; it is not sent any more. */
  takeNext(): readonly Waiting[] {
    return this.#next.splice(0);
  }

  /** A sent operation that is answered; undefined for one that the thread does not have. */
  take(id: number): Waiting | undefined {
    const waiting = this.#sent.get(id);
    this.#sent.delete(id);
    return waiting;
  }

  /** Counts answers. The thread may put several batches into one group, or one into several. */
  answered(count: number): void {
    let left = count;
    while (left > 0 && this.#sizes[0] !== undefined) {
      const taken = Math.min(left, this.#sizes[0]);
      left -= taken;
      this.#sizes[0] -= taken;
      if (this.#sizes[0] === 0) {
        this.#sizes.shift();
      }
    }
  }

  /** The thread is gone. @returns what it had; a new one knows no statement */
  lose(): readonly Waiting[] {
    const lost = [...this.#sent.values()];
    this.#sent.clear();
    this.#sizes = [];
    this.#known.clear();
    return lost;
  }
}
