/** Cuts a list into batches of at most `size`, in order. @param size at least 1 */
export function splitBatches<T>(recipients: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let from = 0; from < recipients.length; from += size) {
    batches.push(recipients.slice(from, from + size));
  }
  return batches;
}
