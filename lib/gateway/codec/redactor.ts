import { findNonLatin1, percentEncodeLatin1 } from "../../shared/latin1";

const MASK = "•••";
/** Shorter secrets would mask ordinary words. */
const MIN_LENGTH = 4;

const lowerHex = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** Lists every encoding of a secret, without unpaired surrogates, which no encoding can hold. */
function getForms(given: string): Set<string> {
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

export class Redactor {
  readonly #formsBySecret = new Map<string, ReadonlySet<string>>();
  /** Longest first, so that a secret that contains another one is masked as a whole. */
  #forms: readonly string[] = [];

  add(secret: string): void {
    if (secret.length >= MIN_LENGTH) {
      this.#formsBySecret.set(secret, getForms(secret));
      this.#sort();
    }
  }

  remove(secret: string): void {
    this.#formsBySecret.delete(secret);
    this.#sort();
  }

  #sort(): void {
    const forms = new Set([...this.#formsBySecret.values()].flatMap((each) => [...each]));
    this.#forms = [...forms].sort((one, other) => other.length - one.length);
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
