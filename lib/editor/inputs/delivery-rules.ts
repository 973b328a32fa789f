import { RULE_FIELDS } from "../../shared/fields/rule-fields";
import type { FieldSpec } from "../../shared/fields/field-spec";
import type { Dialog } from "../dialog/dialog";
import { fillMissing } from "../dialog/missing-properties";
import { prepareFields } from "./field-input";
import { categoryOf, hasOnceKey, ruleProperties, say } from "./rule-properties";

/**
 * Prepares the group *Delivery rules* of a send node. A node that was saved before there was the group lacks its properties; those
 * that nobody changes it goes on without.
 * @param fields the other fields of the node
 * @param built is called for each field after its input is built
 */
export function prepareRules(
  dialog: Dialog,
  fields: readonly FieldSpec[],
  built: (spec: FieldSpec) => void,
): void {
  const { node, form, watch } = dialog;
  const definitions = Object.entries(ruleProperties(fields));
  fillMissing<string>(dialog, Object.fromEntries(definitions.map(([name, { value }]) => [name, value])));
  prepareFields(dialog, RULE_FIELDS, say, { built });

  const within = form.find(".messaging-rules-within");
  const category = form.find(".messaging-rules-category");
  watch(() => {
    category.toggle(categoryOf(node, fields) !== undefined);
    within.toggle(hasOnceKey(node));
  });
}
