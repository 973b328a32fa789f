import type {
  CredentialDefinition,
  EditedNode,
  PropertyDefinition,
  Validate,
} from "../dialog/node-definition";
import { asSentence } from "../dialog/as-sentence";
import type { Dialog } from "../dialog/dialog";
import { isVariable } from "../../shared/variable-name";

type Checked = PropertyDefinition | CredentialDefinition;

/** Makes a check for the editor of a function that returns the fault of a text, or null. */
export function check(
  label: () => string,
  findFault: (value: string, node: EditedNode) => string | null,
): Validate {
  return checkAny(label, (value, node) => findFault(String(value ?? ""), node));
}

/** The same for a property that can be something else than text. */
export function checkAny(
  label: () => string,
  findFault: (value: unknown, node: EditedNode) => string | null,
): Validate {
  return function (value, options) {
    const fault = findFault(value, this);
    if (fault === null) {
      return true;
    }
    return options?.inline ? fault : `${label()}: ${fault}`;
  };
}

/** Shows the reason below each invalid input; the editor shows only a red frame and a tooltip. */
export function watchFaults(
  { node, form, input, watch }: Dialog,
  definitions: Readonly<Record<string, Checked>>,
): void {
  const update = (): void => {
    form.find(".messaging-fault").remove();
    for (const [name, { validate }] of Object.entries(definitions)) {
      const element = input(name);
      // The element of a TypedInput gets pasted text only when it loses the focus.
      const value = element.data("noderedTypedInput") ? element.typedInput("value") : element.val();
      if (validate === undefined || element.length === 0 || isVariable(String(value))) {
        continue;
      }
      const verdict = validate.call(node, value, { inline: true });
      if (typeof verdict === "string") {
        $("<div>", { class: "messaging-fault", role: "alert" })
          .text(asSentence(verdict))
          .appendTo(element.closest(".form-row"));
      }
    }
  };
  watch(update);
  update();
}
