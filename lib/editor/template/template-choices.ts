import type { KnownTemplate } from "../../shared/known-template";
import type { Completion, TemplateLocales } from "./template-locales";

/** What a choice puts into the input of the name: no template is called so, and it says both. */
const both = ({ name, locale }: KnownTemplate): string => `${name} (${locale})`;

/** The known templates of the chosen account, by name and language. */
export class TemplateChoices {
  #known: readonly KnownTemplate[] = [];

  constructor(private readonly locales: TemplateLocales) {}

  know(templates: readonly KnownTemplate[]): void {
    this.#known = templates;
  }

  /** Languages in which a template is known. */
  localesOf(name: string): readonly string[] {
    return this.#known.filter((each) => each.name === name).map(({ locale }) => locale);
  }

  /**
   * Templates whose name contains a text, for Node-RED's autocompletion.
   * Tab chooses the first one: that is what was typed, so that any other name can be typed.
   * @param untyped label of the first one while nothing is typed
   */
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

  /** The template that was chosen; undefined for a name that was typed. */
  chosen(typed: string): KnownTemplate | undefined {
    return this.#known.find((each) => both(each) === typed);
  }
}
