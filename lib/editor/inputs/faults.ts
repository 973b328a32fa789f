import type {
  CredentialDefinition,
  EditedNode,
  PropertyDefinition,
  Validate,
} from "../dialog/node-definition";
import { asSentence } from "../dialog/as-sentence";
import { type Dialog, inputValue } from "../dialog/dialog";
import { isVariable } from "../../shared/variable-name";

type Checked = PropertyDefinition | CredentialDefinition;

export function check(
  label: () => string,
  findFault: (value: string, node: EditedNode) => string | null,
): Validate {
  return checkAny(label, (value, node) => findFault(String(value ?? ""), node));
}

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

export const alsoChecked = <Property extends PropertyDefinition>(
  property: Property,
  also: Validate,
): Property => ({
  ...property,
  validate(this: EditedNode, value: unknown, options?: Parameters<Validate>[1]) {
    const verdict = property.validate?.call(this, value, options) ?? true;
    return verdict === true ? also.call(this, value, options) : verdict;
  },
});

/** Shows the reason below each invalid input; the editor shows only a red frame and a tooltip. */
export function watchFaults(
  { node, form, input, watch }: Dialog,
  definitions: Readonly<Record<string, Checked>>,
): void {
  watch(() => {
    form.find(".messaging-fault").remove();
    for (const [name, { validate }] of Object.entries(definitions)) {
      const element = input(name);
      if (validate === undefined || element.length === 0) {
        continue;
      }
      const value = inputValue(element);
      if (isVariable(value)) {
        continue;
      }
      const verdict = validate.call(node, value, { inline: true });
      if (typeof verdict === "string") {
        $("<div>", { class: "messaging-fault", role: "alert" })
          .text(asSentence(verdict))
          .appendTo(element.closest(".form-row"));
      }
    }
  });
}
