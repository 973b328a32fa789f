/** Shorter secrets can occur by chance. */
const TELLING = 4;
const MOST_ESCAPES = 3;

const BASE64 = /[A-Za-z0-9+/_-]{6,}/g;

/**
 * Finds a secret in Latin-1 or UTF-8, also percent-encoded or inside Base64.
 * @param value one character a byte, as Node.js gives it
 */
export function holdsSecret(value: string, secret: string): boolean {
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

/** UTF-8 bytes, one character each. */
const latin1Of = (text: string): string => Buffer.from(text).toString("latin1");

/** Decodes as an address and as a form. */
function unescapedOnce(text: string): string[] {
  const asForm = text.includes("+") ? [text.replaceAll("+", " ")] : [];
  return text.includes("%") ? [text, ...asForm].map(unescaped) : asForm;
}

const unescaped = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Decodes Base64 at each offset of a word with at least `size` characters. */
function base64Texts(text: string, size: number): string[] {
  if ((text.length * 3) / 4 < size) {
    return [];
  }
  const words = (text.match(BASE64) ?? []).filter((word) => (word.length * 3) / 4 >= size);
  return words.flatMap((word) =>
    [0, 1, 2, 3].map((start) => Buffer.from(word.slice(start), "base64").toString("latin1")),
  );
}
