import type { NodeAPI, NodeMessage } from "node-red";
import { isRow } from "../../../shared/personal-text/row-number";
import { PartsStamp, withProperty } from "../parts/batch-message";

/** Properties of a message that each row has of its own, as paths without `msg.`; null where there is none. */
export interface RowPlaces {
  readonly rows: string;
  readonly result: string;
  readonly clientMessageId: string | null;
}

/** Makes the messages of the rows of a list. */
export class RowMessages {
  readonly #stamp: PartsStamp;
  /** The message without its list, as it was when its first row began: the flow may change its own. */
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

  /** A copy of the message with an entry in place of the list. No row shares an object with another. */
  at(index: number): NodeMessage {
    const own = this.RED.util.cloneMessage(this.#base);
    const copy = withProperty(this.RED, own, this.places.rows, this.#entry(index));
    copy.parts = this.#stamp.at(index);
    return copy;
  }

  /** The name of the person that an entry is for; null where it says none. */
  nameAt(index: number): string | null {
    return this.nameOf(this.list[index]);
  }

  /** What is no row and no number stays the entry of a list, which has its own words for it. */
  #entry(index: number): unknown {
    const entry = this.list[index];
    return isRow(entry) || ["string", "number", "bigint"].includes(typeof entry) ? entry : [entry];
  }
}
