/** Rows that one operation changes where there may be many: others wait for it no longer than some milliseconds. */
export const SLICE = 500;

/**
 * Repeats an operation until it finds fewer rows than it may take.
 * @param slice changes at most so many rows and gives the number back
 * @returns all of them
 */
export async function sliced(slice: (most: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await slice(SLICE);
    total += count;
    if (count < SLICE) {
      return total;
    }
  }
}
