import { RULE_FIELDS } from "../../shared/fields/rule-fields";
import type { FieldSpec } from "../../shared/fields/field-spec";
import type { Dialog } from "../dialog/dialog";
import { prepareFields } from "./field-input";
import { categoryOf, hasOnceKey, say } from "./rule-properties";

/** @param fields the other fields of the node @param built called after the input of each field is built */
export function prepareRules(
  dialog: Dialog,
  fields: readonly FieldSpec[],
  built: (spec: FieldSpec) => void,
): void {
  const { node, form, watch } = dialog;
  prepareFields(dialog, RULE_FIELDS, say, { built });

  const within = form.find(".messaging-rules-within");
  const category = form.find(".messaging-rules-category");
  watch(() => {
    category.toggle(categoryOf(node, fields) !== undefined);
    within.toggle(hasOnceKey(node));
  });
}
