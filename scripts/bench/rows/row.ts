import type { BenchOptions } from "../options";

/** One measured figure: the median of its rounds. */
export interface Figure {
  /** What was measured, e.g. `peak memory growth`. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the median was taken of, in the order of the rounds. */
  readonly rounds?: readonly number[];
}

/** Figures of one situation, e.g. `https, 0 ms, 32 in flight`. */
export interface Situation {
  readonly situation: string;
  readonly figures: readonly Figure[];
}

/** One row of the bench, which may look at several situations. */
export interface BenchRow {
  /** By which it can be asked for. */
  readonly id: string;
  /** Gives each situation as soon as it is measured. */
  readonly run: (options: BenchOptions) => AsyncIterable<Situation>;
}
