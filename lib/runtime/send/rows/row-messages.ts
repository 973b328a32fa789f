import type { NodeAPI, NodeMessage } from "node-red";
import { isRow } from "../../../shared/personal-text/row-number";
import { PartsStamp, withProperty } from "../parts/part-messages";

/** Paths without `msg.` of properties that differ by row; null for none. */
export interface RowPlaces {
  readonly rows: string;
  readonly result: string;
  readonly clientMessageId: string | null;
}

export class RowMessages {
  readonly #stamp: PartsStamp;
  /** Copied at the first row, because the flow may change its own message. */
  readonly #base: NodeMessage;

  constructor(
    private readonly RED: NodeAPI,
    msg: NodeMessage,
    private readonly list: readonly unknown[],
    private readonly places: RowPlaces,
    private readonly nameOf: (row: unknown) => string | null,
  ) {
    const { rows, result } = places;
    this.#stamp = new PartsStamp(RED.util.generateId(), list.length, result, msg.parts, rows);
    this.#base = RED.util.cloneMessage(withProperty(RED, msg, rows, null));
  }

  /** Copies the message with one entry. No rows share an object. */
  at(index: number): NodeMessage {
    const own = this.RED.util.cloneMessage(this.#base);
    const copy = withProperty(this.RED, own, this.places.rows, this.#entry(index));
    copy.parts = this.#stamp.at(index);
    return copy;
  }

  nameAt(index: number): string | null {
    return this.nameOf(this.list[index]);
  }

  /** An entry that is neither row nor number stays in a list, for its own error. */
  #entry(index: number): unknown {
    const entry = this.list[index];
    return isRow(entry) || ["string", "number", "bigint"].includes(typeof entry) ? entry : [entry];
  }
}
