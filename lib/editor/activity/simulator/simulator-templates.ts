import { button, el } from "../dom";
import { texts } from "../formatting";
import { titledInput } from "./simulator-composer";
import type { SimulatorView } from "../../../shared/simulator-panel";

/**
 * The form that gives the simulator a WhatsApp template of the user, and says which ones it has.
 * @param add takes name, language, and text with `{{1}}`, `{{2}}` and so on. It gives whether the simulator took it: what was typed stays otherwise
 */
export function templatesForm(
  add: (template: Readonly<Record<"templateName" | "templateLocale" | "text", string>>) => Promise<boolean>,
) {
  const show = (view: SimulatorView | undefined): void => {
    const locales = new Map<string, string[]>();
    for (const { name, locale } of view?.templates ?? []) {
      locales.set(name, [...(locales.get(name) ?? []), locale]);
    }
    const names = [...locales].map(([name, all]) => `${name} (${all.join(", ")})`).join(", ");
    has.textContent = names === "" ? "" : texts("simulator.template.has", { names });
  };
  const has = el("div", "messaging-activity-quiet messaging-simulator-note");
  const inputs = [
    titledInput(texts("simulator.template.templateName")),
    titledInput(texts("simulator.template.templateLocale")),
    titledInput(texts("simulator.template.templateText")),
  ] as const;
  const [nameInput, localeInput, textInput] = inputs;
  const press = async (): Promise<void> => {
    const typed = inputs.map(({ value }) => value.trim());
    const [templateName = "", templateLocale = "", text = ""] = typed;
    const isAdded = await add({ templateName, templateLocale, text });
    // What was typed meanwhile stays.
    if (isAdded && inputs.every(({ value }, at) => value.trim() === typed[at])) {
      for (const input of inputs) input.value = "";
    }
  };
  const element = el(
    "details",
    "messaging-simulator-fold",
    el("summary", "", texts("simulator.template.own")),
    el("div", "messaging-activity-row", nameInput, localeInput),
    el(
      "div",
      "messaging-activity-row",
      textInput,
      button({ text: texts("simulator.template.templateAdd") }, () => void press()),
    ),
    has,
  );
  return { element, show };
}
