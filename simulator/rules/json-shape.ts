import { countCharacters } from "./field-checks";
import type { JsonObject } from "./field-rules";

/** What is wrong, and where: `.a.b[0]` inside the value that was looked at. */
export interface ShapeProblem {
  readonly path: string;
  readonly reason: string;
}

/** Looks at one value inside a JSON object; null when there is nothing to say against it. */
export type Shape = (value: unknown, path: string) => ShapeProblem | null;

/** Looks at a whole object whose fields are all right by themselves. */
export type ObjectRule = (value: JsonObject, path: string) => ShapeProblem | null;

/** A text of so many characters. */
export function text(least = 0, most = Number.POSITIVE_INFINITY): Shape {
  return (value, path) => {
    if (typeof value !== "string") return at(path, "must be a string");
    const count = countCharacters(value);
    if (count < least) return at(path, "must not be empty");
    return count > most ? at(path, `${count} characters, ${most} allowed`) : null;
  };
}

/** A text of a certain form. */
export function textLike(form: RegExp, description: string): Shape {
  return (value, path) =>
    typeof value === "string" && form.test(value) ? null : at(path, `must be ${description}`);
}

/** One of a few words, in exactly this spelling. */
export function word(...words: readonly string[]): Shape {
  return (value, path) =>
    words.includes(value as string) ? null : at(path, `must be one of ${words.join(", ")}`);
}

/** A whole number that is not below `least`. */
export function integer(least: number): Shape {
  return (value, path) =>
    Number.isSafeInteger(value) && (value as number) >= least
      ? null
      : at(path, `must be a whole number${least === Number.NEGATIVE_INFINITY ? "" : `, at least ${least}`}`);
}

/** A number between two limits, both allowed. */
export function number(least: number, most: number): Shape {
  return (value, path) =>
    typeof value === "number" && value >= least && value <= most
      ? null
      : at(path, `must be a number from ${least} to ${most}`);
}

/** An absolute http or https address without blanks. */
export const url: Shape = (value, path) =>
  typeof value === "string" && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value)
    ? null
    : at(path, "must be an http or https URL");

/** Date and time in ISO 8601 with seconds and a zone. */
export const instant: Shape = (value, path) =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value))
    ? null
    : at(path, "must be an ISO 8601 date and time with a zone");

/** A list of so many entries, all of one shape. */
export function list(least: number, most: number, entry: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return at(path, "must be a list");
    if (value.length < least || value.length > most) {
      return at(path, `${value.length} entries, ${least} to ${most} allowed`);
    }
    return first(value.map((each, index) => () => entry(each, `${path}[${index}]`)));
  };
}

/** An object with these fields and no others. */
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

/** An object of which exactly one field is there. */
export function oneField(shapes: Readonly<Record<string, Shape>>): Shape {
  return object({}, shapes, exactlyOne(...Object.keys(shapes)));
}

/** Exactly one of these fields is there. */
export function exactlyOne(...names: readonly string[]): ObjectRule {
  return (value, path) =>
    names.filter((name) => Object.hasOwn(value, name)).length === 1
      ? null
      : at(path, `needs exactly one of ${names.join(", ")}`);
}

/** At least one of these fields is there. */
export function someOf(...names: readonly string[]): ObjectRule {
  return (value, path) =>
    names.some((name) => Object.hasOwn(value, name)) ? null : at(path, `needs one of ${names.join(", ")}`);
}

/** Where the first field is, the others must be too. */
export function needs(name: string, ...others: readonly string[]): ObjectRule {
  return (value, path) => {
    const missing = others.find((other) => !Object.hasOwn(value, other));
    return Object.hasOwn(value, name) && missing !== undefined
      ? at(`${path}.${missing}`, `is missing beside ${name}`)
      : null;
  };
}

/** Where the first field is, the other must not be. */
export function excludes(name: string, other: string): ObjectRule {
  return (value, path) =>
    Object.hasOwn(value, name) && Object.hasOwn(value, other)
      ? at(`${path}.${other}`, `not together with ${name}`)
      : null;
}

/** Says what is wrong at a path. */
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
