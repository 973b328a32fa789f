import { type FieldSpec, isFieldOf } from "../../shared/fields/field-spec";
import { currentValue, type Dialog, heldText } from "../dialog/dialog";
import { sharedTexts, type Texts } from "../dialog/texts";
import { chosenSource } from "./field-fault";
import { accountOf } from "./account/account-property";

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

/** A warning below an input, hidden until it is shown. @param name a class of its own */
function warningHint(name: string): { readonly hint: JQuery; readonly words: JQuery } {
  const words = $("<span>");
  const hint = $("<div>", { class: `messaging-hint messaging-warning ${name}`, role: "status" })
    .append($("<i>", { class: "fa fa-exclamation-triangle", "aria-hidden": "true" }), " ", words)
    .hide();
  return { hint, words };
}

/** Sources that read a place in the flows, with the prefix that names it. */
const PLACES: Readonly<Record<string, string>> = { msg: "msg.", flow: "flow.", global: "global." };

/**
 * Says below a text when it reads the same place as the recipients: one value cannot be both.
 * To be called after the fields are prepared.
 */
export function watchSameSource(dialog: Dialog, specs: readonly FieldSpec[], texts: Texts): void {
  const { node, form, watch } = dialog;
  const recipients = specs.find(({ type }) => type === "recipients");
  if (recipients === undefined) {
    return;
  }
  /** The place that a field reads; null for one of another source. */
  const placeOf = (spec: FieldSpec): string | null => {
    const prefix = PLACES[chosenSource(node, spec)];
    const path = heldText(dialog, spec.name).trim();
    return prefix === undefined || path === "" ? null : prefix + path;
  };
  for (const spec of specs.filter(({ lines, place }) => lines && place === "message")) {
    const { hint, words } = warningHint("messaging-same-source");
    form.find(`#node-input-${spec.name}Source`).closest(".form-row").append(hint);
    watch(() => {
      const place = placeOf(spec);
      const isSame =
        place !== null &&
        place === placeOf(recipients) &&
        isFieldOf(spec, (name) => currentValue(node, name));
      hint.toggle(isSame);
      const names = { text: texts(`field.${spec.name}`), recipients: texts(`field.${recipients.name}`) };
      words.text(isSame ? sharedTexts("hint.same-source", { ...names, place }) : "");
    });
  }
}
