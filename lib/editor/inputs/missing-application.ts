import { type FieldSpec, isFieldOf } from "../../shared/fields/field-spec";
import { currentValue, type Dialog, heldText } from "../dialog/dialog";
import { sharedTexts } from "../dialog/texts";
import { warningHint } from "../dialog/warning-hint";
import { accountOf } from "./account-property";
import { chosenSource } from "./field-fault";

/** Whether an account of a real service has no application id. The simulator brings its own. */
function lacksApplication(id: string): boolean {
  const account = RED.nodes.node(id);
  return (
    account?.type === "messaging-account" &&
    account.service === "service" &&
    String(account.applicationId ?? "").trim() === ""
  );
}

/** Says below the account when messages of the chosen kind need an application id, and neither the account nor the node has one. */
export function watchApplication(dialog: Dialog, specs: readonly FieldSpec[]): void {
  const { node, form, watch } = dialog;
  const spec = specs.find(({ name }) => name === "applicationId");
  if (spec === undefined) {
    return;
  }
  const { hint, words } = warningHint("messaging-no-application");
  words.text(sharedTexts("hint.no-application"));
  form.find("#node-input-account").closest(".form-row").append(hint);
  watch(() => {
    const source = chosenSource(node, spec);
    const isTyped = source !== "blank" && (source !== "str" || heldText(dialog, spec.name).trim() !== "");
    const isNeeded = isFieldOf(spec, (name) => currentValue(node, name)) && !isTyped;
    hint.toggle(isNeeded && lacksApplication(accountOf(node)));
  });
}
