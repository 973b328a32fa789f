import type { Figure } from "./rows/row";

/** The middle one; of an even number the mean of both in the middle. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] as number)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The list begun at another place in each round, so that nobody always comes after the same one. */
export function turned<T>(list: readonly T[], round: number): T[] {
  const at = round % Math.max(1, list.length);
  return [...list.slice(at), ...list.slice(0, at)];
}

/** What was measured in several rounds, as a figure of the report. */
export const figure = (name: string, unit: string, rounds: readonly number[]): Figure => ({
  name,
  value: median(rounds),
  unit,
  rounds,
});
