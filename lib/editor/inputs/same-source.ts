import { type FieldSpec, isFieldOf } from "../../shared/fields/field-spec";
import { currentValue, type Dialog, heldText } from "../dialog/dialog";
import { sharedTexts, type Texts } from "../dialog/texts";
import { warningHint } from "../dialog/warning-hint";
import { chosenSource } from "./field-fault";

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
