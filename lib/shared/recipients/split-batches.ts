/** Cuts a list into batches of at most `size`, in order. */
export function splitBatches<T>(recipients: readonly T[], size: number): T[][] {
  if (!Number.isSafeInteger(size) || size < 1) {
    throw new RangeError(`A batch must have a size of at least 1, not ${size}.`);
  }
  const batches: T[][] = [];
  for (let from = 0; from < recipients.length; from += size) {
    batches.push(recipients.slice(from, from + size));
  }
  return batches;
}
