import { sharedTexts, type Texts } from "../dialog/texts";
import type { Fault } from "./limit-checks";

const OWN = "composer-";

/** A fault in words. */
export function describeFault({ rule, values }: Pick<Fault, "rule" | "values">, texts: Texts): string {
  return rule.startsWith(OWN)
    ? texts(`composer.fault.${rule.slice(OWN.length)}`, values)
    : sharedTexts(`fault.${rule}`, values);
}

/** Options of a field: what it is called, what it holds, what is told when it changes. */
interface InputOptions {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly changed: (value: string) => void;
}

const FIELD = "data-field";

/** Common to all fields: its label is its placeholder, its tooltip, and its name for those who only hear it. */
const attributes = ({ name, label }: InputOptions): Record<string, string> => ({
  [FIELD]: name,
  "aria-label": label,
  title: label,
});

/** A text input of the composer; several lines where `lines` says so. */
export function textInput(options: InputOptions, lines = 1): JQuery {
  const { label, value, changed } = options;
  const input = lines > 1 ? $("<textarea>", { rows: lines }) : $("<input>", { type: "text" });
  input.attr({ ...attributes(options), placeholder: label }).val(value);
  return input.on("input change", () => changed(String(input.val())));
}

/** A choice of the composer; a value that is none of the choices is kept, as one more of them. */
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

/** Inputs side by side. */
export const line = (...inputs: readonly JQuery[]): JQuery =>
  $("<div>", { class: "messaging-compose-line" }).append(...inputs);

/** One of Node-RED's buttons, with an icon and a text. */
export function iconButton(icon: string, text: string, pressed: () => void): JQuery {
  const button = $("<button>", { type: "button", class: "red-ui-button red-ui-button-small" });
  $("<i>", { class: `fa ${icon}`, "aria-hidden": "true" }).appendTo(button);
  button.append(" ", $("<span>").text(text));
  return button.on("click", (event) => {
    event.preventDefault();
    pressed();
  });
}

/**
 * Shows faults below what they belong to, each with the label of its field, and frames the inputs. `within` must not
 * hold the inputs of anything else that has faults of its own.
 */
export function showFaults(place: JQuery, within: JQuery, faults: readonly Fault[], texts: Texts): void {
  within.find(`[${FIELD}]`).removeClass("input-error");
  place.empty();
  for (const fault of faults) {
    const input = within.find(`[${FIELD}="${fault.field}"]`).first().addClass("input-error");
    // Without its example, or that it is optional.
    const label = (input.attr("aria-label") ?? "").split(/, | \(/)[0] ?? "";
    const words = describeFault(fault, texts);
    $("<div>", { class: "messaging-compose-fault", role: "alert" })
      .text(label === "" ? words : `${label}: ${words}`)
      .appendTo(place);
  }
}
