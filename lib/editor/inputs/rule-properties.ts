import { type FieldSpec, isFieldOf } from "../../shared/fields/field-spec";
import { LONGEST_ONCE_KEY, RULE_DEFAULTS, RULE_FIELDS } from "../../shared/fields/rule-fields";
import { readDuration } from "../../shared/schedule/read-duration";
import { readMoment } from "../../shared/schedule/read-moment";
import { currentValue } from "../dialog/dialog";
import type { EditedNode, PropertyDefinition } from "../dialog/node-definition";
import { sharedTexts, type Texts } from "../dialog/texts";
import { alsoChecked, check } from "./faults";
import { chosenSource } from "./field-fault";
import { fieldProperties } from "./field-input";
import { atMost, type LiteralCheck } from "./literal-checks";

/** Texts of the group *Delivery rules*. */
export const say: Texts = (key, values) => sharedTexts(`rules.${key}`, values);

const [ONCE_KEY, NOT_BEFORE, USELESS_AFTER] = RULE_FIELDS;

/** Whether a node has a once key, so that its time has an effect. */
export const hasOnceKey = (node: EditedNode): boolean => chosenSource(node, ONCE_KEY) !== "blank";

/** Why a typed text is no point in time, or null. Its zone does not matter for that. */
const checkMoment: LiteralCheck = (value) =>
  readMoment(value, Date.now(), "") === null ? say("fault.moment") : null;

/** The time of a once key, as it was typed; one that is blank is the initial one. */
function findWithinFault(typed: string): string | null {
  const within = typed.trim() === "" ? RULE_DEFAULTS.onceWithin : typed;
  return (readDuration(within) ?? 0) > 0 ? null : say("fault.duration");
}

/** Of the times of a message only two durations can be compared before there is a message. */
function findOrderFault(node: EditedNode, end: string): string | null {
  const isTyped = [NOT_BEFORE, USELESS_AFTER].every((field) => chosenSource(node, field) === "str");
  const begin = isTyped ? readDuration(String(currentValue(node, "notBefore"))) : null;
  const ends = readDuration(end);
  return begin !== null && ends !== null && ends <= begin
    ? say("fault.early", { other: say("field.notBefore") })
    : null;
}

/** The field for the category of the messages that a node sends with its present settings; some have none. */
export const categoryOf = (node: EditedNode, fields: readonly FieldSpec[]): FieldSpec | undefined =>
  fields.find(
    (spec) => spec.name === "contentCategory" && isFieldOf(spec, (name) => currentValue(node, name)),
  );

/** Whether the category of a node is not `informational`. One from a message is not known here. */
function lacksCategory(node: EditedNode, fields: readonly FieldSpec[]): boolean {
  const category = categoryOf(node, fields);
  const source = category === undefined ? null : chosenSource(node, category);
  return (
    source === "blank" || (source === "choice" && currentValue(node, "contentCategory") !== "informational")
  );
}

/**
 * The properties of the group *Delivery rules* for the definition of a send node.
 * @param fields the other fields of the node
 */
export function ruleProperties(fields: readonly FieldSpec[]): Record<string, PropertyDefinition> {
  const properties = fieldProperties(RULE_FIELDS, say, {
    onceKey: atMost(LONGEST_ONCE_KEY),
    notBefore: checkMoment,
    uselessAfter: checkMoment,
  });
  const { uselessAfter } = properties;
  return {
    ...properties,
    uselessAfter: alsoChecked(
      { ...uselessAfter, value: "" },
      check(
        () => say("field.uselessAfter"),
        (value, node) => findOrderFault(node, value),
      ),
    ),
    onceWithin: {
      value: RULE_DEFAULTS.onceWithin,
      validate: check(
        () => say("field.onceWithin"),
        (value, node) => (hasOnceKey(node) ? findWithinFault(value) : null),
      ),
    },
    alsoOptedOut: {
      value: RULE_DEFAULTS.alsoOptedOut,
      validate: check(
        () => say("field.alsoOptedOut"),
        (_value, node) =>
          currentValue(node, "alsoOptedOut") === true && lacksCategory(node, fields)
            ? say("fault.category")
            : null,
      ),
    },
    anyHour: { value: RULE_DEFAULTS.anyHour },
  };
}
