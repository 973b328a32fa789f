import { requireText } from "../util/require-fields";
import { putBounded } from "../util/put-bounded";

const MOST_TEMPLATES = 1000;
const PLACEHOLDER = /\{\{(\d+)\}\}/g;

/** A message template that the service knows. */
export interface SimulatedTemplate {
  readonly templateName: string;
  readonly templateLocale: string;
  /** `{{1}}`, `{{2}}` … stand for the values, which may be used more than once. */
  readonly text: string;
}

/** Always there. */
const BUILT_IN: readonly SimulatedTemplate[] = [
  {
    templateName: "order_ready",
    templateLocale: "en_US",
    text: "Hello {{1}}, your order {{2}} is ready for collection.",
  },
  {
    templateName: "order_ready",
    templateLocale: "de",
    text: "Hallo {{1}}, Ihre Bestellung {{2}} liegt zur Abholung bereit.",
  },
  { templateName: "welcome", templateLocale: "en_US", text: "Welcome! Write to us here whenever you like." },
  {
    templateName: "welcome",
    templateLocale: "de",
    text: "Willkommen! Schreiben Sie uns hier, wann Sie mögen.",
  },
];

/** The templates of one account. */
export class Templates {
  readonly #byKey = new Map<string, SimulatedTemplate>();

  constructor() {
    this.clear();
  }

  /** Adds a template, or replaces the one of the same name and locale. Throws a TypeError for a wrong one. */
  add(input: unknown): SimulatedTemplate {
    const { templateName, templateLocale, text } = requireText("template", input, [
      "templateName",
      "templateLocale",
      "text",
    ]);
    const template = { templateName, templateLocale, text };
    const numbers = new Set(Array.from(text.matchAll(PLACEHOLDER), ([, number]) => Number(number)));
    if (countPlaceholders(template) !== numbers.size) {
      throw new TypeError("template: placeholders must be {{1}}, {{2}} and so on, without a gap");
    }
    putBounded(this.#byKey, keyOf(templateName, templateLocale), template, MOST_TEMPLATES);
    return template;
  }

  hasName(name: string): boolean {
    return [...this.#byKey.values()].some(({ templateName }) => templateName === name);
  }

  get(name: string, locale: string): SimulatedTemplate | null {
    return this.#byKey.get(keyOf(name, locale)) ?? null;
  }

  list(): SimulatedTemplate[] {
    return [...this.#byKey.values()];
  }

  /** Back to those that are always there. */
  clear(): void {
    this.#byKey.clear();
    for (const template of BUILT_IN) this.add(template);
  }
}

/** Values that the template needs: the highest number among its placeholders. */
export function countPlaceholders({ text }: SimulatedTemplate): number {
  return Math.max(0, ...Array.from(text.matchAll(PLACEHOLDER), ([, number]) => Number(number)));
}

/** What the recipient reads; a value that is not there leaves nothing. */
export function personalise({ text }: SimulatedTemplate, values: readonly string[]): string {
  return text.replace(PLACEHOLDER, (_match, number: string) => values[Number(number) - 1] ?? "");
}

function keyOf(name: string, locale: string): string {
  return JSON.stringify([name, locale]);
}
