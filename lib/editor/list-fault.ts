import type { FieldSource, ListEntry } from "../shared/field-spec";
import { LIMITS } from "../shared/limits";
import { findExcess, findPlaceholderFault } from "../shared/placeholders";
import { sharedTexts } from "./texts";

/** Sources of one entry of a list. */
export const ENTRY_SOURCES: readonly FieldSource[] = ["str", "msg", "flow", "global", "jsonata", "env"];

/** The entries that a property holds; none where it holds something else. */
export const entriesOf = (held: unknown): readonly ListEntry[] =>
  Array.isArray(held) ? (held as ListEntry[]) : [];

/** Why one entry can never work, or null. */
export function findEntryFault({ source, value }: ListEntry): string | null {
  if (source !== "str") {
    if (value.trim() === "") {
      return sharedTexts("fault.blank-source");
    }
    const verdict = RED.utils.validateTypedProperty(value, source, {});
    return verdict === true ? null : verdict;
  }
  const fault = findPlaceholderFault(value);
  if (fault === null) {
    return null;
  }
  return fault.rule === "line-break"
    ? sharedTexts("fault.line-break")
    : sharedTexts("fault.too-long", { max: LIMITS.placeholderValue, count: fault.count });
}

/** Why all entries together can never work, or null: only what is typed in is known here. */
export function findSumFault(entries: readonly ListEntry[]): string | null {
  const count = findExcess(entries.filter(({ source }) => source === "str").map(({ value }) => value));
  return count === null
    ? null
    : sharedTexts("fault.entries-too-long", { max: LIMITS.templateContent, count });
}

/** Why a list can never work, or null: the first faulty entry, by its number. */
export function findListFault(entries: readonly ListEntry[]): string | null {
  for (const [at, entry] of entries.entries()) {
    const reason = findEntryFault(entry);
    if (reason !== null) {
      return sharedTexts("fault.entry", { n: at + 1, reason });
    }
  }
  return findSumFault(entries);
}
