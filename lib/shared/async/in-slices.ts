/** Entries of a list that are worked on in one turn of the event loop: about a millisecond. */
export const ENTRIES_PER_TURN = 1_000;

/**
 * Works on a list, however long it is, with the event loop in between. It must not be changed before the promise settles.
 * @param work gets the entries in their order, some at a time
 */
export async function inSlices<Entry>(
  list: readonly Entry[],
  work: (slice: readonly Entry[]) => Promise<void> | void,
): Promise<void> {
  for (let from = 0; from < list.length; from += ENTRIES_PER_TURN) {
    if (from > 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const working = work(list.length <= ENTRIES_PER_TURN ? list : list.slice(from, from + ENTRIES_PER_TURN));
    if (working !== undefined) {
      await working;
    }
  }
}
