/** ISO-8859-1 (Latin-1): the character set of the form-based SMS endpoint. */

/** The first character of a text that is not in Latin-1. */
export interface NonLatin1Character {
  /** The character itself; for half of a surrogate pair, that half. */
  readonly character: string;
  readonly codePoint: number;
  /** Where it stands, counted in characters (code points) from 1. */
  readonly position: number;
}

const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/** Finds the first character that cannot be written in Latin-1, or null when the whole text can. */
export function findNonLatin1(text: string): NonLatin1Character | null {
  const index = text.search(BEYOND_LATIN1);
  if (index === -1) {
    return null;
  }
  const codePoint = text.codePointAt(index) as number;
  // Everything before the find is Latin-1, hence one code unit each: the index counts code points as well.
  return { character: String.fromCodePoint(codePoint), codePoint, position: index + 1 };
}

/** `0x20ac` as `20AC`, the way Unicode charts write it. */
export function formatCodePoint(codePoint: number): string {
  return codePoint.toString(16).toUpperCase().padStart(4, "0");
}

/** How a form body writes a character of Latin-1 that does not stand for itself. */
const encode = (character: string): string =>
  character === " " ? "+" : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/**
 * Writes a text as the value (or name) of an `application/x-www-form-urlencoded` body in Latin-1.
 * @throws RangeError for a character that Latin-1 lacks
 */
export function percentEncodeLatin1(text: string): string {
  const found = findNonLatin1(text);
  if (found) {
    const { position, codePoint } = found;
    throw new RangeError(`Character ${position}, U+${formatCodePoint(codePoint)}, is not in ISO-8859-1.`);
  }
  return text.replace(/[^A-Za-z0-9*\-._]/g, encode);
}
