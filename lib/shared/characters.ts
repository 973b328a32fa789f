/** The service's way of counting is unknown, so the lower count decides. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) {
    count++;
  }
  return count;
}

/** Whether a text has a line break or another control character, as a secret from a file or a variable may end with. */
export const hasControlCharacter = (text: string): boolean => /\p{Cc}/u.test(text);
