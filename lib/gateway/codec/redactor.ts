import { findNonLatin1, percentEncodeLatin1 } from "../../shared/latin1";

const MASK = "•••";
/** Shorter secrets would mask ordinary words; such a secret protects nothing anyway. */
const SHORTEST = 4;

const lowerHex = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** Every form in which a secret travels or is echoed. Half a surrogate pair, which no form can hold, is replaced. */
function formsOf(given: string): Set<string> {
  const secret = Buffer.from(given).toString();
  const base64 = Buffer.from(secret).toString("base64");
  const percent = [
    encodeURIComponent(secret),
    new URLSearchParams([["", secret]]).toString().slice(1),
    ...(findNonLatin1(secret) === null ? [percentEncodeLatin1(secret)] : []),
    encodeURIComponent(base64),
  ];
  const forms = [given, secret, base64, Buffer.from(secret).toString("base64url"), ...percent];
  return new Set([...forms, base64.replace(/={1,2}$/, ""), ...percent.map(lowerHex)]);
}

/** Masks every known secret, in each form in which it travels, wherever it appears in a text. */
export class Redactor {
  /** Number of secrets with this form: it stays while one of them is in use. */
  readonly #uses = new Map<string, number>();
  /** Longest first: if a secret is part of another, the whole longer one is masked. */
  #forms: readonly string[] = [];

  /** Adds a secret in its plain, percent-encoded and Base64 forms. */
  add(secret: string): void {
    this.#count(secret, 1);
  }

  /** Undoes one `add`, for a secret that is no longer used, such as an expired token. */
  remove(secret: string): void {
    this.#count(secret, -1);
  }

  #count(secret: string, step: 1 | -1): void {
    if (secret.length < SHORTEST) {
      return;
    }
    for (const form of formsOf(secret)) {
      const uses = (this.#uses.get(form) ?? 0) + step;
      if (uses > 0) {
        this.#uses.set(form, uses);
      } else {
        this.#uses.delete(form);
      }
    }
    this.#forms = [...this.#uses.keys()].sort((one, other) => other.length - one.length);
  }

  clean(text: string): string {
    let result = text;
    // One regular expression of all forms is a hundred times slower with long tokens.
    for (const form of this.#forms) {
      if (form.length <= result.length && result.includes(form)) {
        result = result.replaceAll(form, MASK);
      }
    }
    return result;
  }
}
