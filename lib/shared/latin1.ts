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

const PLAIN = /^[A-Za-z0-9*\-._]*$/;

/** Each of the 256 bytes as written in a form body. */
const ENCODED: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (character === " ") {
    return "+";
  }
  return PLAIN.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
});

/** 1 for each byte that is written unescaped. */
const IS_PLAIN = Uint8Array.from(ENCODED, (written, byte) => (written === String.fromCharCode(byte) ? 1 : 0));

/**
 * Writes a text as the value (or name) of an `application/x-www-form-urlencoded` body in Latin-1.
 * @throws RangeError for a character that Latin-1 lacks
 */
export function percentEncodeLatin1(text: string): string {
  if (PLAIN.test(text)) {
    return text;
  }
  const found = findNonLatin1(text);
  if (found) {
    const { position, codePoint } = found;
    throw new RangeError(`Character ${position}, U+${formatCodePoint(codePoint)}, is not in ISO-8859-1.`);
  }
  // A loop, because a regular expression would call back for each space of a text.
  let encoded = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text.charCodeAt(at);
    if (IS_PLAIN[byte] === 0) {
      encoded += text.slice(from, at) + ENCODED[byte];
      from = at + 1;
    }
  }
  return encoded + text.slice(from);
}
