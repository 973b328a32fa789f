import { type FieldSpec, isFieldOf } from "../../shared/fields/field-spec";
import { currentValue, type Dialog, heldText } from "../dialog/dialog";
import { sharedTexts, type Texts } from "../dialog/texts";
import { chosenSource } from "./field-fault";
import { accountOf } from "./account/account-property";

/** The simulator has its own application id. */
function lacksApplication(id: string): boolean {
  const account = RED.nodes.node(id);
  return (
    account?.type === "messaging-account" &&
    account.service === "service" &&
    String(account.applicationId ?? "").trim() === ""
  );
}

/** Shows a hint if the chosen kind needs an application id and neither account nor node has one. */
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

/** Shows how to type recipients and texts that come from the message. Call after the fields are prepared. */
export function watchTyping({ node, form, watch }: Dialog, specs: readonly FieldSpec[]): void {
  for (const spec of specs) {
    if (spec.type !== "recipients" && !(spec.lines && spec.place === "message")) {
      continue;
    }
    const text = sharedTexts("hint.typing", { source: sharedTexts("source.text") });
    const hint = $("<div>", { class: "messaging-hint messaging-typing", text });
    form.find(`#node-input-${spec.name}Source`).closest(".form-row").append(hint);
    watch(() => hint.toggle(chosenSource(node, spec) === "msg"));
  }
}

function warningHint(name: string): { readonly hint: JQuery; readonly words: JQuery } {
  const words = $("<span>");
  const hint = $("<div>", { class: `messaging-hint messaging-warning ${name}`, role: "status" })
    .append($("<i>", { class: "fa fa-exclamation-triangle", "aria-hidden": "true" }), " ", words)
    .hide();
  return { hint, words };
}

const PLACES: Readonly<Record<string, string>> = { msg: "msg.", flow: "flow.", global: "global." };

/** Warns if text and recipients read the same place. Call after the fields are prepared. */
export function watchSameSource(dialog: Dialog, specs: readonly FieldSpec[], texts: Texts): void {
  const { node, form, watch } = dialog;
  const recipients = specs.find(({ type }) => type === "recipients");
  if (recipients === undefined) {
    return;
  }
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
