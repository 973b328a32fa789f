import { button, el } from "../dom";
import { texts } from "../formatting";
import { AccountChoice } from "./simulator-accounts";
import { titledInput } from "./simulator-composer";

/** A template as the simulator gets it. */
export interface TypedTemplate {
  readonly templateName: string;
  readonly templateLocale: string;
  /** With `{{1}}`, `{{2}}` and so on. */
  readonly text: string;
}

/** The form that gives the simulator a WhatsApp template of the user, and says which ones it has. */
export class SimulatorTemplates {
  readonly element: HTMLElement;
  readonly account: AccountChoice;
  readonly #name = titledInput(texts("simulator.template.templateName"));
  readonly #locale = titledInput(texts("simulator.template.templateLocale"));
  readonly #text = titledInput(texts("simulator.template.templateText"));
  readonly #has = el("div", "messaging-activity-quiet messaging-simulator-note");

  /**
   * @param add gives whether the simulator took it: what was typed stays otherwise
   * @param chosen is called when a person chooses an account
   */
  constructor(
    add: (accountId: string, template: TypedTemplate) => Promise<boolean>,
    chosen: (id: string) => void,
  ) {
    this.account = new AccountChoice(chosen, () => this.#say());
    const press = async (): Promise<void> => {
      const inputs = [this.#name, this.#locale, this.#text] as const;
      const typed = inputs.map(({ value }) => value.trim());
      const [templateName = "", templateLocale = "", text = ""] = typed;
      const isAdded = await add(this.account.value, { templateName, templateLocale, text });
      // What was typed meanwhile stays.
      if (isAdded && inputs.every(({ value }, at) => value.trim() === typed[at])) {
        for (const input of inputs) input.value = "";
      }
    };
    this.element = el(
      "details",
      "messaging-simulator-fold",
      el("summary", "", texts("simulator.template.own")),
      this.account.element,
      el("div", "messaging-activity-row", this.#name, this.#locale),
      el(
        "div",
        "messaging-activity-row",
        this.#text,
        button({ text: texts("simulator.template.templateAdd") }, () => void press()),
      ),
      this.#has,
    );
  }

  #say(): void {
    const locales = new Map<string, string[]>();
    for (const { name, locale } of this.account.view?.templates ?? []) {
      locales.set(name, [...(locales.get(name) ?? []), locale]);
    }
    const names = [...locales].map(([name, all]) => `${name} (${all.join(", ")})`).join(", ");
    this.#has.textContent = names === "" ? "" : texts("simulator.template.has", { names });
  }
}
