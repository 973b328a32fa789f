import type { NodeMessage } from "node-red";
import type { FieldType } from "../../shared/fields/field-spec";
import { say } from "../../texts/say";

export interface Origin {
  readonly kind: "property" | "variable" | "expression" | "list";
  /** Such as `msg.test`, or the name of a variable; blank for other sources. */
  readonly name: string;
}

export interface CompiledSource {
  /** Returns a value or a promise, undefined without a value. Null if the field has no source. */
  readonly fetch: ((msg: NodeMessage) => unknown) | null;
  readonly slow: boolean;
  /** Path of the message property, or null. */
  readonly property: string | null;
  readonly origin: Origin;
}

export const noValue = ({ kind, name }: Origin): string => say(`sources.no-value.${kind}`, { name });

export const unreadable = ({ kind, name }: Origin, error: Error): string =>
  say(`sources.unreadable.${kind}`, { name, error: error.message });

/** Codes of JSONata, such as D3030. */
const JSONATA_CODE = /^[A-Z]\d{4}$/;

/** Leaves out the words of an expression's error, which may quote a secret. */
export function unreadableSecret(origin: Origin, error: Error): string {
  if (origin.kind !== "expression") {
    return unreadable(origin, error);
  }
  const { code, position } = error as { readonly code?: unknown; readonly position?: unknown };
  const known = typeof code === "string" && JSONATA_CODE.test(code) ? code : "JSONata";
  const place = typeof position === "number" ? `${known}, ${position}` : known;
  return say("sources.unreadable.expression", { error: place });
}

/** Describes the problem of one entry of a list. @param at index of the entry */
export function entryProblem(type: FieldType, at: number, problem: string): string {
  const entry = type === "placeholders" || type === "suggestions" ? type : "any";
  return say(`sources.entry.${entry}`, { number: at + 1, problem });
}
