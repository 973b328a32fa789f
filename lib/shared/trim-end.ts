/** Linear, because `/x+$/` is quadratic. */
export function trimEnd(text: string, fits: (character: string) => boolean): string {
  let end = text.length;
  while (end > 0 && fits(text.charAt(end - 1))) {
    end--;
  }
  return text.slice(0, end);
}

export const withoutEndSlashes = (text: string): string => trimEnd(text, (character) => character === "/");
