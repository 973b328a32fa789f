import { nameInputs } from "../dialog/accessible-names";
import type { PropertyDefinition } from "../dialog/node-definition";
import type { Dialog } from "../dialog/dialog";
import { check } from "../inputs/faults";
import { INPUT_WIDTH } from "../dialog/style";
import { sharedTexts } from "../dialog/texts";

/** Properties for the results of a send node: the message property, and the number of outputs. */
export const RESULT_PROPERTIES: Readonly<Record<string, PropertyDefinition>> = {
  resultProperty: {
    value: "result",
    validate: check(
      () => sharedTexts("field.resultProperty"),
      (value) => {
        if (value.trim() === "") {
          return sharedTexts("fault.blank-source");
        }
        const verdict = RED.utils.validateTypedProperty(value, "msg", {});
        return verdict === true ? null : verdict;
      },
    ),
  },
  outputs: { value: 4 },
};

/** Limits the input of `resultProperty` to message properties, when it is first shown. */
export function prepareResultProperty({ input, whenShown }: Dialog): void {
  const field = input("resultProperty");
  const row = field.closest(".form-row");
  whenShown(row, ["resultProperty"], () => {
    field.typedInput({ default: "msg", types: ["msg"] });
    nameInputs(row);
    field.typedInput("width", INPUT_WIDTH);
  });
}
