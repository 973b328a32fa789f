import type { NodeAPI, NodeMessage } from "node-red";
import { isRow } from "../../../shared/personal-text/row-number";
import { PartsStamp, withProperty } from "../parts/batch-message";
import { smallObjects } from "./small-objects";

/** Properties of a message that each row has of its own, as paths without `msg.`; null where there is none. */
export interface RowPlaces {
  readonly rows: string;
  readonly result: string;
  readonly clientMessageId: string | null;
}

/** Makes the messages of the rows of a list. */
export class RowMessages {
  readonly #stamp: PartsStamp;
  /** Paths on which a result is written into an object that all rows would share. */
  readonly #shared: readonly string[];
  /** What each row has a copy of, so that no later node changes the texts of rows that have not begun; null where there is nothing. */
  readonly #small: NodeMessage | null;

  constructor(
    private readonly RED: NodeAPI,
    private readonly msg: NodeMessage,
    private readonly list: readonly unknown[],
    private readonly places: RowPlaces,
    private readonly nameOf: (row: unknown) => string | null,
  ) {
    const { rows, result, clientMessageId } = places;
    this.#stamp = new PartsStamp(RED.util.generateId(), list.length, result, msg.parts, rows);
    const written = [result, clientMessageId].filter((path) => path !== null);
    this.#shared = written.filter((path) => path !== rows && this.#isDeep(path));
    const small = smallObjects(withProperty(RED, msg, rows, null));
    this.#small = Object.keys(small).length === 0 ? null : small;
  }

  /** A copy of the message with an entry in place of the list. Small objects, and those on the way to what is written, are copied. */
  at(index: number): NodeMessage {
    const msg = this.#small === null ? this.msg : { ...this.msg, ...this.RED.util.cloneMessage(this.#small) };
    let copy = withProperty(this.RED, msg, this.places.rows, this.#entry(index));
    for (const path of this.#shared) {
      copy = this.#withOwnParents(copy, path);
    }
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

  #isDeep(path: string): boolean {
    try {
      return this.RED.util.normalisePropertyExpression(path, this.msg).length > 1;
    } catch {
      return false;
    }
  }

  #withOwnParents(msg: NodeMessage, path: string): NodeMessage {
    const copy = { ...msg };
    let level = copy as Record<string | number, unknown>;
    for (const key of this.RED.util.normalisePropertyExpression(path, msg).slice(0, -1)) {
      const inner = level[key];
      if (typeof inner !== "object" || inner === null) {
        break;
      }
      level[key] = Array.isArray(inner) ? [...inner] : { ...inner };
      level = level[key] as Record<string | number, unknown>;
    }
    return copy;
  }
}
