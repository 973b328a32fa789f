import type { FieldType } from "../../shared/fields/field-spec";
import { say } from "../../texts/say";

/** Where the value of a field or of a list entry comes from, as far as errors tell sources apart. */
export interface Origin {
  readonly kind: "property" | "variable" | "expression" | "list";
  /** Such as `msg.test`, or the name of a variable; blank for the others. */
  readonly name: string;
}

/** The problem of a source that has no value. */
export const noValue = ({ kind, name }: Origin): string => say(`sources.no-value.${kind}`, { name });

/** The problem of a source that failed. */
export const unreadable = ({ kind, name }: Origin, error: Error): string =>
  say(`sources.unreadable.${kind}`, { name, error: error.message });

/** The problem of one entry, as a problem of its list. @param at index of the entry */
export function entryProblem(type: FieldType, at: number, problem: string): string {
  const entry = type === "placeholders" || type === "suggestions" ? type : "any";
  return say(`sources.entry.${entry}`, { number: at + 1, problem });
}
