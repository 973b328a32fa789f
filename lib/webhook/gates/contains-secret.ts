/** Shorter secrets can occur by chance. */
const MIN_CONTAINED = 4;
const MAX_ESCAPES = 3;

const BASE64 = /[A-Za-z0-9+/_-]{6,}/g;

/**
 * Finds a secret in Latin-1 or UTF-8, also percent-encoded or inside Base64.
 * @param value one character a byte, as Node.js gives it
 */
export function containsSecret(value: string, secret: string): boolean {
  const forms = [secret, Buffer.from(secret).toString("latin1")].map(withoutPlus);
  const isIn = (text: string): boolean =>
    forms.some((form) => (form.length < MIN_CONTAINED ? text === form : withoutPlus(text).includes(form)));
  let text = value;
  for (let times = 0; times <= MAX_ESCAPES; times++) {
    if (isIn(text) || (secret.length >= MIN_CONTAINED && base64Texts(text).some(isIn))) {
      return true;
    }
    text = unescaped(text);
  }
  return false;
}

/** A form writes a space as plus. */
const withoutPlus = (text: string): string => text.replaceAll("+", " ");

const unescaped = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Decodes Base64 at each offset of a word. */
const base64Texts = (text: string): string[] =>
  (text.match(BASE64) ?? []).flatMap((word) =>
    [0, 1, 2, 3].map((start) => Buffer.from(word.slice(start), "base64").toString("latin1")),
  );
