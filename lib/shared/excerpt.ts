/** The beginning of a text with an ellipsis behind it: at most `longest` UTF-16 units, and no half of a pair. Shorter texts stay whole. */
export function excerpt(text: string, longest: number, ellipsis = "…"): string {
  if (text.length <= longest) {
    return text;
  }
  const splitsPair = (text.codePointAt(longest - 1) ?? 0) > 0xffff;
  return text.slice(0, splitsPair ? longest - 1 : longest) + ellipsis;
}
