import { countCharacters } from "./field-checks";
import type { JsonObject } from "./field-rules";

/** A problem and its path inside the checked value, such as `.a.b[0]`. */
export interface ShapeProblem {
  readonly path: string;
  readonly reason: string;
}

/** Checks one JSON value; null if it is valid. */
export type Shape = (value: unknown, path: string) => ShapeProblem | null;

/** Checks an object whose single fields are valid. */
export type ObjectRule = (value: JsonObject, path: string) => ShapeProblem | null;

/** Requires a string within these limits in characters. */
export function text(min = 0, max = Number.POSITIVE_INFINITY): Shape {
  return (value, path) => {
    if (typeof value !== "string") return at(path, "must be a string");
    const count = countCharacters(value);
    if (count < min) return at(path, "must not be empty");
    return count > max ? at(path, `${count} characters, ${max} allowed`) : null;
  };
}

/** Requires a string that matches a pattern. */
export function textLike(pattern: RegExp, description: string): Shape {
  return (value, path) =>
    typeof value === "string" && pattern.test(value) ? null : at(path, `must be ${description}`);
}

/** Requires one of these words, in exactly this spelling. */
export function word(...words: readonly string[]): Shape {
  return (value, path) =>
    words.includes(value as string) ? null : at(path, `must be one of ${words.join(", ")}`);
}

/** Requires an integer of at least `min`. */
export function integer(min: number): Shape {
  return (value, path) =>
    Number.isSafeInteger(value) && (value as number) >= min
      ? null
      : at(path, `must be an integer${min === Number.NEGATIVE_INFINITY ? "" : `, at least ${min}`}`);
}

/** Requires a number between two limits, both included. */
export function number(min: number, max: number): Shape {
  return (value, path) =>
    typeof value === "number" && value >= min && value <= max
      ? null
      : at(path, `must be a number from ${min} to ${max}`);
}

/** Requires an absolute HTTP or HTTPS URL without spaces. */
export const url: Shape = (value, path) =>
  typeof value === "string" && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value)
    ? null
    : at(path, "must be an http or https URL");

/** Requires date and time in ISO 8601 with seconds and a zone. */
export const instant: Shape = (value, path) =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value))
    ? null
    : at(path, "must be an ISO 8601 date and time with a zone");

/** Requires a list within these limits whose entries all have one shape. */
export function list(min: number, max: number, entry: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return at(path, "must be a list");
    if (value.length < min || value.length > max) {
      return at(path, `${value.length} entries, ${min} to ${max} allowed`);
    }
    return first(value.map((each, index) => () => entry(each, `${path}[${index}]`)));
  };
}

/** Requires an object with these fields and no others, and applies rules to it. */
export function object(
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
  ...rules: readonly ObjectRule[]
): Shape {
  const shapes = new Map(Object.entries({ ...required, ...optional }));
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return at(path, "must be an object");
    }
    const fields = Object.entries(value as JsonObject);
    const unknown = fields.find(([name]) => !shapes.has(name));
    if (unknown) return at(`${path}.${unknown[0]}`, "unknown field");
    const missing = Object.keys(required).find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return at(`${path}.${missing}`, "is missing");
    return first([
      ...fields.map(
        ([name, field]) =>
          () =>
            shapes.get(name)?.(field, `${path}.${name}`) ?? null,
      ),
      ...rules.map((rule) => () => rule(value as JsonObject, path)),
    ]);
  };
}

/** Requires an object with exactly one of these fields. */
export function oneField(shapes: Readonly<Record<string, Shape>>): Shape {
  return object({}, shapes, exactlyOne(...Object.keys(shapes)));
}

/** Requires exactly one of these fields. */
export function exactlyOne(...names: readonly string[]): ObjectRule {
  return (value, path) =>
    names.filter((name) => Object.hasOwn(value, name)).length === 1
      ? null
      : at(path, `needs exactly one of ${names.join(", ")}`);
}

/** Requires at least one of these fields. */
export function someOf(...names: readonly string[]): ObjectRule {
  return (value, path) =>
    names.some((name) => Object.hasOwn(value, name)) ? null : at(path, `needs one of ${names.join(", ")}`);
}

/** Requires the other fields if the first one is present. */
export function needs(name: string, ...others: readonly string[]): ObjectRule {
  return (value, path) => {
    const missing = others.find((other) => !Object.hasOwn(value, other));
    return Object.hasOwn(value, name) && missing !== undefined
      ? at(`${path}.${missing}`, `is required with ${name}`)
      : null;
  };
}

/** Refuses the second field if the first one is present. */
export function excludes(name: string, other: string): ObjectRule {
  return (value, path) =>
    Object.hasOwn(value, name) && Object.hasOwn(value, other)
      ? at(`${path}.${other}`, `not permitted with ${name}`)
      : null;
}

/** Creates a problem at a path. */
export function at(path: string, reason: string): ShapeProblem {
  return { path, reason };
}

function first(checks: readonly (() => ShapeProblem | null)[]): ShapeProblem | null {
  for (const check of checks) {
    const problem = check();
    if (problem !== null) return problem;
  }
  return null;
}
