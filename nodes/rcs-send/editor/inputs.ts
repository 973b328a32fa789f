import { sharedTexts, type Texts } from "../../../lib/editor/dialog/texts";
import type { Fault } from "./limit-checks";

const OWN = "composer-";

export function describeFault({ rule, values }: Pick<Fault, "rule" | "values">, texts: Texts): string {
  return rule.startsWith(OWN)
    ? texts(`composer.fault.${rule.slice(OWN.length)}`, values)
    : sharedTexts(`fault.${rule}`, values);
}

interface InputOptions {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly changed: (value: string) => void;
}

const FIELD = "data-field";

/** The label is also tooltip and accessible name. */
const attributes = ({ name, label }: InputOptions): Record<string, string> => ({
  [FIELD]: name,
  "aria-label": label,
  title: label,
});

export const storeThen =
  (...others: readonly (() => void)[]) =>
  (store: (typed: string) => void) =>
  (typed: string): void => {
    store(typed);
    for (const call of others) call();
  };

export function textInput(options: InputOptions, lines = 1): JQuery {
  const { label, value, changed } = options;
  const input = lines > 1 ? $("<textarea>", { rows: lines }) : $("<input>", { type: "text" });
  input.attr({ ...attributes(options), placeholder: label }).val(value);
  return input.on("input change", () => changed(String(input.val())));
}

/** An unknown value stays as an additional option. */
export function choiceInput(
  options: InputOptions,
  choices: readonly (readonly [value: string, label: string])[],
): JQuery {
  const { value, changed } = options;
  const select = $("<select>").attr(attributes(options));
  const known = choices.some(([each]) => each === value);
  for (const [each, label] of known ? choices : [...choices, [value, value] as const]) {
    $("<option>", { value: each }).text(label).appendTo(select);
  }
  return select.val(value).on("change", () => changed(String(select.val())));
}

export const line = (...inputs: readonly JQuery[]): JQuery =>
  $("<div>", { class: "messaging-compose-line" }).append(...inputs);

/** Shows errors in `place` and marks inputs in `within`, which must not contain inputs with separate errors. */
export function showFaults(place: JQuery, within: JQuery, faults: readonly Fault[], texts: Texts): void {
  within.find(`[${FIELD}]`).removeClass("input-error");
  place.empty();
  for (const fault of faults) {
    const input = within.find(`[${FIELD}="${fault.field}"]`).first().addClass("input-error");
    // The label without its example or “(optional)”.
    const label = (input.attr("aria-label") ?? "").split(/, | \(/)[0] ?? "";
    const reason = describeFault(fault, texts);
    $("<div>", { class: "messaging-compose-fault", role: "alert" })
      .text(label === "" ? reason : `${label}: ${reason}`)
      .appendTo(place);
  }
}
