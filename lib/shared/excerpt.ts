/** Cuts a text at `longest` UTF-16 units, never inside a surrogate pair. */
export function excerpt(text: string, longest: number, ellipsis = "…"): string {
  if (text.length <= longest) {
    return text;
  }
  const splitsPair = (text.codePointAt(longest - 1) ?? 0) > 0xffff;
  return text.slice(0, splitsPair ? longest - 1 : longest) + ellipsis;
}
