/** What is put behind the label at a place that others have as well; blank where there is nothing. */
type Addition = (at: number) => string;

/**
 * Labels of which none is there twice: those that several places have get one addition after the other, until they differ, and at last a
 * number.
 * @param additions with the blanks and signs before them
 */
export function tellApart(labels: readonly string[], ...additions: readonly Addition[]): readonly string[] {
  const counted = (each: readonly string[]): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const label of each) {
      counts.set(label, (counts.get(label) ?? 0) + 1);
    }
    return counts;
  };
  const isShared = (counts: ReadonlyMap<string, number>, label: string): boolean =>
    (counts.get(label) ?? 0) > 1;
  let told = labels;
  for (const addition of additions) {
    const counts = counted(told);
    told = told.map((label, at) => (isShared(counts, label) ? label + addition(at) : label));
  }
  const counts = counted(told);
  const numbers = new Map<string, number>();
  return told.map((label) => {
    const number = (numbers.get(label) ?? 0) + 1;
    numbers.set(label, number);
    return isShared(counts, label) ? `${label} · ${number}` : label;
  });
}
