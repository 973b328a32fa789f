import { nameInputs } from "../dialog/accessible-names";
import type { PropertyDefinition } from "../dialog/node-definition";
import type { Dialog } from "../dialog/dialog";
import { check } from "../inputs/faults";
import { INPUT_WIDTH } from "../dialog/style";
import { sharedTexts } from "../dialog/texts";

export const messageProperty = (label: () => string, value: string): PropertyDefinition => ({
  value,
  validate: check(label, (path) => {
    if (path.trim() === "") {
      return sharedTexts("fault.blank-source");
    }
    const verdict = RED.utils.validateTypedProperty(path, "msg", {});
    return verdict === true ? null : verdict;
  }),
});

export const RESULT_PROPERTIES: Readonly<Record<string, PropertyDefinition>> = {
  resultProperty: messageProperty(() => sharedTexts("field.resultProperty"), "result"),
  outputs: { value: 4 },
};

/** Allows only message properties. */
export function prepareMessageProperty({ input, whenShown }: Dialog, property: string): void {
  const field = input(property);
  const row = field.closest(".form-row");
  whenShown(row, [property], () => {
    field.typedInput({ default: "msg", types: ["msg"] });
    nameInputs(row);
    field.typedInput("width", INPUT_WIDTH);
  });
}
