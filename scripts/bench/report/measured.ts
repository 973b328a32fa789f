import type { Goal } from "./goals";
import type { Figure } from "../rows/row";

/** A figure with where it belongs and what it had to keep. */
export interface Measured extends Figure {
  readonly row: string;
  readonly situation: string;
  readonly goal: Goal | null;
  /** null where there is no goal. */
  readonly met: boolean | null;
}

/** Three digits, or all of a whole number. */
export const number = (value: number): string =>
  Math.abs(value) >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));

export const bound = ({ least, most }: Goal): string =>
  least === undefined ? `at most ${number(most as number)}` : `at least ${number(least)}`;
