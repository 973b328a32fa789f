import { type KnownTemplate, MOST_TEMPLATES } from "../../shared/known-template";

const known = new Map<string, KnownTemplates>();

/** The templates that the service has accepted since Node-RED started: the service lists none. */
export class KnownTemplates {
  readonly #byKey = new Map<string, KnownTemplate>();
  #latest: KnownTemplate | null = null;

  static of(account: string): KnownTemplates {
    const templates = known.get(account) ?? new KnownTemplates();
    known.set(account, templates);
    return templates;
  }

  get list(): readonly KnownTemplate[] {
    return [...this.#byKey.values()].reverse();
  }

  add(name: string, locale: string): void {
    // All messages of a list have the same template.
    if (this.#latest?.name === name && this.#latest.locale === locale) {
      return;
    }
    const key = `${name}\n${locale}`;
    this.#latest = { name, locale };
    this.#byKey.delete(key);
    this.#byKey.set(key, this.#latest);
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size > MOST_TEMPLATES && oldest !== undefined) {
      this.#byKey.delete(oldest);
    }
  }
}
