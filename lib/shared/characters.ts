/** The service's way of counting is unknown, so the lower count decides. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) {
    count++;
  }
  return count;
}
