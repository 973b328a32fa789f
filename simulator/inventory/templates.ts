import { z } from "zod";
import { parseInput } from "../util/parse-input";

const MAX_TEMPLATES = 1000;
const PLACEHOLDER = /\{\{(\d+)\}\}/g;

const filled = z.string().min(1);

const newTemplate = z.strictObject({
  templateName: filled,
  templateLocale: filled,
  /** Contains the placeholders `{{1}}`, `{{2}}` …; each may occur more than once. */
  text: filled,
});

export type SimulatedTemplate = Readonly<z.infer<typeof newTemplate>>;

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

export class Templates {
  #templates: readonly SimulatedTemplate[] = BUILT_IN;

  add(input: unknown): SimulatedTemplate {
    const template = parseInput("template", newTemplate, input);
    const { templateName, templateLocale, text } = template;
    const numbers = new Set(Array.from(text.matchAll(PLACEHOLDER), ([, number]) => Number(number)));
    if (countPlaceholders(template) !== numbers.size) {
      throw new TypeError("template: placeholders must be numbered {{1}}, {{2}} and so on without a gap");
    }
    const others = this.#templates.filter((each) => !isNamed(each, templateName, templateLocale));
    this.#templates = [...others, template].slice(-MAX_TEMPLATES);
    return template;
  }

  hasName(name: string): boolean {
    return this.localesOf(name).length > 0;
  }

  names(): string[] {
    return [...new Set(this.#templates.map(({ templateName }) => templateName))];
  }

  localesOf(name: string): string[] {
    return this.#templates.flatMap(({ templateName, templateLocale }) =>
      templateName === name ? [templateLocale] : [],
    );
  }

  get(name: string, locale: string): SimulatedTemplate | null {
    return this.#templates.find((each) => isNamed(each, name, locale)) ?? null;
  }

  list(): readonly SimulatedTemplate[] {
    return this.#templates;
  }

  clear(): void {
    this.#templates = BUILT_IN;
  }
}

export function countPlaceholders({ text }: SimulatedTemplate): number {
  return Math.max(0, ...Array.from(text.matchAll(PLACEHOLDER), ([, number]) => Number(number)));
}

export function personalise({ text }: SimulatedTemplate, values: readonly string[]): string {
  return text.replace(PLACEHOLDER, (_match, number: string) => values[Number(number) - 1] ?? "");
}

function isNamed(template: SimulatedTemplate, name: string, locale: string): boolean {
  return template.templateName === name && template.templateLocale === locale;
}
