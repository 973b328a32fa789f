/** Cuts a text at `longest` UTF-16 units, never inside a surrogate pair. */
export function excerpt(text: string, max: number, ellipsis = "…"): string {
  if (text.length <= max) {
    return text;
  }
  const splitsPair = (text.codePointAt(max - 1) ?? 0) > 0xffff;
  return text.slice(0, splitsPair ? max - 1 : max) + ellipsis;
}
