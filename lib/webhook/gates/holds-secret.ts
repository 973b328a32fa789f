/** Characters of a secret from which on a header does not contain it by chance. */
const TELLING = 4;
/** Layers of percent-encoding that are decoded. */
const MOST_ESCAPES = 3;

const BASE64 = /[A-Za-z0-9+/_-]{6,}/g;

/**
 * Whether a header's value holds a secret: as it is, percent-encoded (also several times), as in a form, in Base64 or
 * Base64url together with any text before and after it, in UTF-8 or Latin-1. A secret of fewer than four
 * characters counts only where it is the whole value.
 * @param value as Node.js gives it, one character per byte
 */
export function holdsSecret(value: string, secret: string): boolean {
  // No spelling is shorter than the secret itself.
  if (secret === "" || value.length < secret.length) {
    return false;
  }
  const bytes = latin1Of(secret);
  const isIn = (text: string): boolean => text.includes(secret) || text.includes(bytes);
  const has = (text: string): boolean =>
    secret.length < TELLING
      ? text === secret || text === bytes
      : isIn(text) || base64Texts(text, secret.length).some(isIn);
  let texts = [value];
  for (let times = 0; times <= MOST_ESCAPES && texts.length > 0; times++) {
    if (texts.some(has)) {
      return true;
    }
    texts = texts.flatMap(unescapedOnce);
  }
  return false;
}

/** The bytes of a text, in UTF-8, as one character each. */
const latin1Of = (text: string): string => Buffer.from(text).toString("latin1");

/** The decoded readings of a text with escapes, as an address and as a form; empty for a text without. */
function unescapedOnce(text: string): string[] {
  const asForm = text.includes("+") ? [text.replaceAll("+", " ")] : [];
  return text.includes("%") ? [text, ...asForm].map(unescaped) : asForm;
}

/** Escapes replaced by the bytes they stand for, one character each; other characters stay. */
const unescaped = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The decoded Base64 in a text, for parts that can hold so many characters, at each offset of a word. */
function base64Texts(text: string, size: number): string[] {
  if ((text.length * 3) / 4 < size) {
    return [];
  }
  const words = (text.match(BASE64) ?? []).filter((word) => (word.length * 3) / 4 >= size);
  return words.flatMap((word) =>
    [0, 1, 2, 3].map((start) => Buffer.from(word.slice(start), "base64").toString("latin1")),
  );
}
