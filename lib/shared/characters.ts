/** Characters as a person counts them: the service's way of counting is not known, so the lower one decides. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) {
    count++;
  }
  return count;
}
