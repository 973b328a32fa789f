import { RULE_DEFAULTS, RULE_FIELDS } from "../../shared/fields/rule-fields";
import type { FieldSpec } from "../../shared/fields/field-spec";
import { currentValue, type Dialog } from "../dialog/dialog";
import { isInMemory } from "./account-property";
import { prepareFields } from "./field-input";
import { categoryOf, hasOnceKey, ruleProperties, say } from "./rule-properties";

/**
 * Prepares the group *Delivery rules* of a send node. A node that was saved before there was the group lacks its properties; those
 * that nobody changes it goes on without.
 * @param fields the other fields of the node
 * @param built is called for each field after its input is built
 * @returns has to be called before the editor saves the dialog
 */
export function prepareRules(
  dialog: Dialog,
  fields: readonly FieldSpec[],
  built: (spec: FieldSpec) => void,
): () => void {
  const { node, form, input, watch } = dialog;
  const definitions = Object.entries(ruleProperties(fields));
  const missing = definitions.filter(([name]) => node[name] === undefined);
  if (node.onceWithin === undefined) {
    input("onceWithin").val(RULE_DEFAULTS.onceWithin);
  }
  prepareFields(dialog, RULE_FIELDS, say, { built });

  const within = form.find(".messaging-rules-within");
  const memory = form.find(".messaging-rules-memory");
  const category = form.find(".messaging-rules-category");
  const update = (): void => {
    category.toggle(categoryOf(node, fields) !== undefined);
    within.toggle(hasOnceKey(node));
    memory.toggle(isInMemory(String(currentValue(node, "account") ?? "")));
  };
  watch(update);
  update();
  return () => {
    for (const [name, { value }] of missing) {
      if (currentValue(node, name) === value) {
        // The editor saves every input that it finds.
        input(name).removeAttr("id");
      }
    }
  };
}
