import {
  type FieldSource,
  type FieldSpec,
  LITERAL_SOURCE,
  sourceProperty,
} from "../../shared/fields/field-spec";
import { currentValue } from "../dialog/dialog";
import type { EditedNode } from "../dialog/node-definition";
import { hasBraces } from "../../shared/personal-text/has-braces";
import { findPersonalFault } from "../personal-text/text-library";
import { withoutPersonal } from "../personal-text/without-personal";
import { entriesOf, findListFault } from "./list-fault";
import type { LiteralCheck } from "./literal-checks";
import { findNumberFault } from "../fields/number-fault";
import { findRecipientsFault } from "../recipients/recipients-fault";
import { sharedTexts } from "../dialog/texts";

const ANY_COUNT = { min: 0, max: Number.POSITIVE_INFINITY, whole: true };
const ANY_NUMBER = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY, whole: false };

/** The most likely source first. */
export function sourcesOf({ type, required, sources }: FieldSpec): readonly FieldSource[] {
  const literal = LITERAL_SOURCE[type];
  if (sources !== undefined) {
    return sources;
  }
  if (type === "placeholders") {
    // An empty list is not sent, so “blank” is not needed.
    return [literal, "msg", "flow", "global", "jsonata"];
  }
  if (type === "suggestions") {
    return [literal, "json", "msg", "flow", "global", "jsonata", "env"];
  }
  return required
    ? ["msg", "flow", "global", literal, "jsonata", "env"]
    : ["blank", literal, "msg", "flow", "global", "jsonata", "env"];
}

export const chosenSource = (node: EditedNode, { name }: FieldSpec): FieldSource =>
  currentValue(node, sourceProperty(name)) as FieldSource;

function findJsonFault(value: string): string | null {
  try {
    JSON.parse(value);
    return null;
  } catch (error) {
    return sharedTexts("fault.not-json", { reason: (error as Error).message });
  }
}

/** Checks what is known without the values. */
const findFilledFault = ({ type }: FieldSpec, value: string): string | null =>
  findPersonalFault(value) ??
  (type === "recipients" ? findRecipientsFault(withoutPersonal(value).text) : null);

function findLiteralFault(spec: FieldSpec, value: string, literalCheck?: LiteralCheck): string | null {
  const { type, choices = [] } = spec;
  if (literalCheck !== undefined) {
    return literalCheck(value);
  }
  switch (type) {
    case "integer":
      return findNumberFault(value, ANY_COUNT);
    case "number":
      return findNumberFault(value, ANY_NUMBER);
    case "recipients":
      return findRecipientsFault(value);
    case "choice":
      return choices.includes(value) ? null : sharedTexts("fault.not-a-choice", { value });
    case "boolean":
      return value === "true" || value === "false" ? null : sharedTexts("fault.not-a-boolean");
    case "json":
      return findJsonFault(value);
    case "text":
    case "bytes":
    case "placeholders":
    case "suggestions":
      return null;
  }
}

/** Returns why a setting can never work. @param fills true if `{{…}}` in a typed text is replaced */
export function findFieldFault(
  spec: FieldSpec,
  source: string,
  held: unknown,
  literalCheck?: LiteralCheck,
  fills = false,
): string | null {
  if (source === "list") {
    return findListFault(spec, entriesOf(held), fills);
  }
  const value = String(held ?? "");
  if (!(sourcesOf(spec) as readonly string[]).includes(source)) {
    return sharedTexts("fault.source", { source });
  }
  if (source === "blank") {
    return null;
  }
  const literal = source === LITERAL_SOURCE[spec.type];
  if (value.trim() === "") {
    return sharedTexts(`fault.${literal ? (spec.required ? "required" : "blank") : "blank-source"}`);
  }
  if (literal) {
    if (fills && hasBraces(value) && (spec.type === "text" || spec.type === "recipients")) {
      return findFilledFault(spec, value);
    }
    return findLiteralFault(spec, value, literalCheck);
  }
  const verdict = RED.utils.validateTypedProperty(value, source, {});
  if (verdict !== true) {
    return verdict;
  }
  // A list written as JSON is a literal as well.
  return source === "json" ? (literalCheck?.(value) ?? null) : null;
}
