import type { KnownTemplate } from "../../../lib/shared/known-template";
import type { Completion, TemplateLocales } from "./template-locales";

/** A choice with name and language, which no template name equals. */
const both = ({ name, locale }: KnownTemplate): string => `${name} (${locale})`;

export class TemplateChoices {
  #known: readonly KnownTemplate[] = [];

  constructor(private readonly locales: TemplateLocales) {}

  know(templates: readonly KnownTemplate[]): void {
    this.#known = templates;
  }

  localesOf(name: string): readonly string[] {
    return this.#known.filter((each) => each.name === name).map(({ locale }) => locale);
  }

  /** Tab chooses the first completion, so that is the typed text. @param untyped its label while the text is blank */
  search(typed: string, untyped: string): readonly Completion[] {
    const text = typed.trim();
    const found = this.#known.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
    if (found.length === 0) {
      return [];
    }
    return [
      { value: text, label: text === "" ? untyped : text },
      ...found.map((each) => ({
        value: both(each),
        label: `${each.name} · ${this.locales.labelOf(each.locale)}`,
      })),
    ];
  }

  /** Undefined for a typed name. */
  chosen(typed: string): KnownTemplate | undefined {
    return this.#known.find((each) => both(each) === typed);
  }
}
