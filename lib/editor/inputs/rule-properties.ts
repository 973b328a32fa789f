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

export const say: Texts = (key, values) => sharedTexts(`rules.${key}`, values);

const [ONCE_KEY, NOT_BEFORE, USELESS_AFTER] = RULE_FIELDS;

export const hasOnceKey = (node: EditedNode): boolean => chosenSource(node, ONCE_KEY) !== "blank";

/** The zone does not matter for the check. */
const checkMoment: LiteralCheck = (value) =>
  readMoment(value, Date.now(), "") === null ? say("fault.moment") : null;

function findWithinFault(typed: string): string | null {
  const within = typed.trim() === "" ? RULE_DEFAULTS.onceWithin : typed;
  return (readDuration(within) ?? 0) > 0 ? null : say("fault.duration");
}

/** Two durations can be compared before there is a message; other times cannot. */
function findOrderFault(node: EditedNode, end: string): string | null {
  const isTyped = [NOT_BEFORE, USELESS_AFTER].every((field) => chosenSource(node, field) === "str");
  const begin = isTyped ? readDuration(String(currentValue(node, "notBefore"))) : null;
  const ends = readDuration(end);
  return begin !== null && ends !== null && ends <= begin
    ? say("fault.early", { other: say("field.notBefore") })
    : null;
}

/** Depends on the settings of the node; null if its messages have no category. */
export const categoryOf = (node: EditedNode, fields: readonly FieldSpec[]): FieldSpec | undefined =>
  fields.find(
    (spec) => spec.name === "contentCategory" && isFieldOf(spec, (name) => currentValue(node, name)),
  );

/** A category from a message is unknown here. */
function lacksCategory(node: EditedNode, fields: readonly FieldSpec[]): boolean {
  const category = categoryOf(node, fields);
  const source = category === undefined ? null : chosenSource(node, category);
  return (
    source === "blank" || (source === "choice" && currentValue(node, "contentCategory") !== "informational")
  );
}

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
