import type { CredentialDefinition, EditedNode, PropertyDefinition } from "@node-red/editor-client";
import type { Dialog } from "./dialog";

type Checked = PropertyDefinition | CredentialDefinition;

/** Turns a function that says what is wrong, or null, into a check as the editor calls it. */
export function check(
  label: () => string,
  findFault: (value: string, node: EditedNode) => string | null,
): NonNullable<PropertyDefinition["validate"]> {
  // Two parameters, or the editor takes a reason for "valid".
  return function (this: EditedNode, value: unknown, _options?: unknown): true | string {
    const fault = findFault(String(value ?? ""), this);
    return fault === null ? true : `${label()}: ${fault}`;
  };
}

/** Node-RED itself replaces such a value and takes it as valid. */
const VARIABLE = /^\$(\{[a-zA-Z_][a-zA-Z0-9_]*\}|\([a-zA-Z_][a-zA-Z0-9_]*\))$/;

/** Writes the reason under each faulty input, where the editor alone has a red frame and a tooltip. */
export function watchFaults({ node, form, input }: Dialog, definitions: Readonly<Record<string, Checked>>): void {
  const update = (): void => {
    form.find(".messaging-fault").remove();
    for (const [name, { validate }] of Object.entries(definitions)) {
      const element = input(name);
      const value = element.val();
      if (validate === undefined || element.length === 0 || VARIABLE.test(String(value))) {
        continue;
      }
      const verdict = validate.call(node, value, {});
      if (typeof verdict === "string") {
        $("<div>", { class: "messaging-fault", role: "alert" }).text(verdict).appendTo(element.closest(".form-row"));
      }
    }
  };
  form.on("change keyup paste", update);
  update();
}
