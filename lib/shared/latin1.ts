export interface NonLatin1Character {
  readonly character: string;
  readonly codePoint: number;
  /** In code points, from 1. */
  readonly position: number;
}

const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/** Returns null if Latin-1 has all characters. */
export function findNonLatin1(text: string): NonLatin1Character | null {
  const index = text.search(BEYOND_LATIN1);
  if (index === -1) {
    return null;
  }
  const codePoint = text.codePointAt(index) as number;
  // All earlier characters are one code unit, so the index counts code points.
  return { character: String.fromCodePoint(codePoint), codePoint, position: index + 1 };
}

/** Formats `0x20ac` as `20AC`. */
export function formatCodePoint(codePoint: number): string {
  return codePoint.toString(16).toUpperCase().padStart(4, "0");
}

const encode = (character: string): string =>
  character === " " ? "+" : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/** @throws RangeError for a character outside Latin-1 */
export function percentEncodeLatin1(text: string): string {
  const found = findNonLatin1(text);
  if (found) {
    const { position, codePoint } = found;
    throw new RangeError(`Character ${position}, U+${formatCodePoint(codePoint)}, is not in ISO-8859-1.`);
  }
  return text.replace(/[^A-Za-z0-9*\-._]/g, encode);
}
