import type { NodeMessage } from "node-red";
import type { FieldType } from "../../shared/fields/field-spec";
import { say } from "../../texts/say";

/** Where the value of a field or of a list entry comes from, as far as errors tell sources apart. */
export interface Origin {
  readonly kind: "property" | "variable" | "expression" | "list";
  /** Such as `msg.test`, or the name of a variable; blank for the others. */
  readonly name: string;
}

/** A source that was prepared once and is read for each message. */
export interface CompiledSource {
  /** Gives a value or a promise; `undefined` where the source has no value. Null where the field has no source. */
  readonly fetch: ((msg: NodeMessage) => unknown) | null;
  /** Whether `fetch` returns a promise. */
  readonly slow: boolean;
  /** Path of the message property that it reads, or null. */
  readonly property: string | null;
  readonly origin: Origin;
}

export const noValue = ({ kind, name }: Origin): string => say(`sources.no-value.${kind}`, { name });

export const unreadable = ({ kind, name }: Origin, error: Error): string =>
  say(`sources.unreadable.${kind}`, { name, error: error.message });

/** Codes of JSONata, such as D3030. */
const JSONATA_CODE = /^[A-Z]\d{4}$/;

/** The same where the error of an expression may quote a secret value: JSONata's code and the place in the expression are left of it. */
export function unreadableSecret(origin: Origin, error: Error): string {
  if (origin.kind !== "expression") {
    return unreadable(origin, error);
  }
  const { code, position } = error as { readonly code?: unknown; readonly position?: unknown };
  const known = typeof code === "string" && JSONATA_CODE.test(code) ? code : "JSONata";
  const place = typeof position === "number" ? `${known}, ${position}` : known;
  return say("sources.unreadable.expression", { error: place });
}

/** The problem of one entry, as a problem of its list. @param at index of the entry */
export function entryProblem(type: FieldType, at: number, problem: string): string {
  const entry = type === "placeholders" || type === "suggestions" ? type : "any";
  return say(`sources.entry.${entry}`, { number: at + 1, problem });
}
