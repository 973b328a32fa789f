const MASK = "•••";
/** Shorter secrets would mask ordinary words; such a secret protects nothing anyway. */
const SHORTEST = 4;

/** Masks every known secret, in each form in which it travels, wherever it appears in a text. */
export class Redactor {
  readonly #forms = new Set<string>();

  /** Adds a secret, its percent-encoded form, and its Base64 form. */
  add(secret: string): void {
    if (secret.length >= SHORTEST) {
      this.#forms.add(secret);
      this.#forms.add(encodeURIComponent(secret));
      this.#forms.add(Buffer.from(secret).toString("base64"));
    }
  }

  /** Forgets a secret that is no longer used, such as an expired token. */
  remove(secret: string): void {
    this.#forms.delete(secret);
    this.#forms.delete(encodeURIComponent(secret));
    this.#forms.delete(Buffer.from(secret).toString("base64"));
  }

  clean(text: string): string {
    let result = text;
    for (const form of this.#forms) {
      if (result.includes(form)) {
        result = result.replaceAll(form, MASK);
      }
    }
    return result;
  }
}
