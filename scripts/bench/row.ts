/** One measured figure and the bound that it must keep. */
export interface Figure {
  /** What was measured, e.g. `peak memory growth`. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The figure must not be above it; null where it is only shown. */
  readonly most: number | null;
}

/** One line of the bench: measures something and says what it found. */
export interface BenchRow {
  readonly name: string;
  readonly run: () => Promise<readonly Figure[]>;
}

/** Whether a figure keeps its bound. */
export const keeps = ({ value, most }: Figure): boolean => most === null || value <= most;
