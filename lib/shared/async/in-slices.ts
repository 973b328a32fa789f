/** About a millisecond of work in one tick. */
export const ENTRIES_PER_TICK = 1_000;

/** Runs `work` on parts of a list in order, with a tick in between. The list must not change. */
export async function inSlices<Entry>(
  list: readonly Entry[],
  work: (slice: readonly Entry[]) => Promise<void> | void,
): Promise<void> {
  for (let from = 0; from < list.length; from += ENTRIES_PER_TICK) {
    if (from > 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const working = work(list.length <= ENTRIES_PER_TICK ? list : list.slice(from, from + ENTRIES_PER_TICK));
    if (working !== undefined) {
      await working;
    }
  }
}
