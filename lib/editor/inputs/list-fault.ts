import type { FieldType, FieldSource, FieldSpec, ListEntry } from "../../shared/fields/field-spec";
import { LIMITS } from "../../shared/fields/limits";
import { findExcess, findPlaceholderFault } from "../../shared/placeholders";
import { RCS_LIMITS } from "../../shared/fields/rcs-limits";
import { hasBraces } from "../../shared/personal-text/has-braces";
import { findPersonalFault } from "../personal-text/text-library";
import { atMost } from "./literal-checks";
import { sharedTexts } from "../dialog/texts";

export const ENTRY_SOURCES: readonly FieldSource[] = ["str", "msg", "flow", "global", "jsonata", "env"];

export const entriesOf = (held: unknown): readonly ListEntry[] =>
  Array.isArray(held) ? (held as ListEntry[]) : [];

interface ListRules {
  readonly one: (text: string) => string | null;
  readonly all: (texts: readonly string[]) => string | null;
}

const placeholders: ListRules = {
  one: (text) => {
    const fault = findPlaceholderFault(text);
    if (fault === null) {
      return null;
    }
    if (fault.rule === "empty") {
      return sharedTexts("fault.required");
    }
    return fault.rule === "line-break"
      ? sharedTexts("fault.line-break")
      : sharedTexts("fault.too-long", { max: LIMITS.placeholderValue, count: fault.count });
  },
  all: (texts) => {
    const count = findExcess(texts);
    return count === null
      ? null
      : sharedTexts("fault.entries-too-long", { max: LIMITS.templateContent, count });
  },
};

const suggestions: ListRules = {
  one: (text) => (text === "" ? sharedTexts("fault.required") : atMost(RCS_LIMITS.displayText)(text)),
  all: () => null,
};

const RULES: Partial<Record<FieldType, ListRules>> = { placeholders, suggestions };

/** @param fills true if `{{…}}` in a text is replaced, so that it is unknown here */
export function findEntryFault(
  { type }: FieldSpec,
  { source, value }: ListEntry,
  fills = false,
): string | null {
  if (source !== "str") {
    if (value.trim() === "") {
      return sharedTexts("fault.blank-source");
    }
    const verdict = RED.utils.validateTypedProperty(value, source, {});
    return verdict === true ? null : verdict;
  }
  return fills && hasBraces(value) ? findPersonalFault(value) : (RULES[type]?.one(value) ?? null);
}

/** Checks all entries together; only typed values are known here. */
export function findSumFault(
  { type, most }: FieldSpec,
  entries: readonly ListEntry[],
  fills = false,
): string | null {
  if (most !== undefined && entries.length > most) {
    return sharedTexts("fault.too-many", { max: most, count: entries.length });
  }
  const texts = entries
    .filter(({ source, value }) => source === "str" && !(fills && hasBraces(value)))
    .map(({ value }) => value);
  return RULES[type]?.all(texts) ?? null;
}

/** Returns the first invalid entry by its number. */
export function findListFault(spec: FieldSpec, entries: readonly ListEntry[], fills = false): string | null {
  for (const [at, entry] of entries.entries()) {
    const reason = findEntryFault(spec, entry, fills);
    if (reason !== null) {
      return sharedTexts("fault.entry", { n: at + 1, reason });
    }
  }
  return findSumFault(spec, entries, fills);
}
