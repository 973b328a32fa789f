import type { Figure } from "./rows/row";

/** The middle one; of an even number the mean of both in the middle. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] as number)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The list in another order for each round, by chance: who comes after a fast one is slower, and it is not to be always the same. */
export function shuffled<T>(list: readonly T[]): T[] {
  const order = [...list];
  for (let left = order.length - 1; left > 0; left--) {
    const other = Math.floor(Math.random() * (left + 1));
    [order[left], order[other]] = [order[other] as T, order[left] as T];
  }
  return order;
}

/** What was measured in several rounds, as a figure of the report. */
export const figure = (name: string, unit: string, rounds: readonly number[]): Figure => ({
  name,
  value: median(rounds),
  unit,
  rounds,
});
