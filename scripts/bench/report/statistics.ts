import type { Figure } from "../rows/row";

/** The middle one; of an even number the mean of both in the middle. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] as number)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** The list in another order, by chance. */
function shuffled<T>(list: readonly T[]): T[] {
  const order = [...list];
  for (let left = order.length - 1; left > 0; left--) {
    const other = Math.floor(Math.random() * (left + 1));
    [order[left], order[other]] = [order[other] as T, order[left] as T];
  }
  return order;
}

/**
 * Measures several subjects in turns, in another order each round: whatever else the machine does meets all of them, and who comes after a
 * fast one is slower.
 * @returns gives the samples of a subject, in the order of the rounds
 */
export async function inTurns<Subject, Sample>(
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject) => Promise<Sample>,
): Promise<(subject: Subject) => readonly Sample[]> {
  const samples = new Map<Subject, Sample[]>(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round++) {
    for (const subject of shuffled(subjects)) {
      samples.get(subject)?.push(await measure(subject));
    }
  }
  return (subject) => samples.get(subject) ?? [];
}

/** What was measured in several rounds, as a figure of the report. */
export const figure = (name: string, unit: string, rounds: readonly number[]): Figure => ({
  name,
  value: median(rounds),
  unit,
  rounds,
});

/** Makes figures of the same samples. */
export const figuresOf =
  <Sample>(samples: readonly Sample[]) =>
  (name: string, unit: string, what: (sample: Sample) => number): Figure =>
    figure(name, unit, samples.map(what));

/** Makes figures of the samples of one subject against those of another, round by round. */
export const figuresAgainst =
  <Sample>(one: readonly Sample[], other: readonly Sample[]) =>
  (name: string, unit: string, compared: (one: Sample, other: Sample) => number): Figure =>
    figure(
      name,
      unit,
      one.map((sample, round) => compared(sample, other[round] as Sample)),
    );

/** Compares two samples by one of their values. */
export const ratioOf =
  <Sample>(what: (sample: Sample) => number) =>
  (one: Sample, other: Sample): number =>
    what(one) / what(other);
