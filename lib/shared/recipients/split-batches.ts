export function splitBatches<T>(recipients: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let from = 0; from < recipients.length; from += size) {
    batches.push(recipients.slice(from, from + size));
  }
  return batches;
}
