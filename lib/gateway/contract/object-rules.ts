import { array, type core, strictObject, string, type ZodType } from "zod";
import { INSTANT_EXAMPLE, isInstant } from "../../shared/instant";
import { fault } from "./field-rules";

/** Building blocks for objects in the depth of a request: what their fields may be together. */

type Fields = Readonly<Record<string, unknown>>;
type Context = core.$RefinementCtx<Fields>;
/** Looks at an object whose fields are all right by themselves. */
export type ObjectRule = (fields: Fields, context: Context) => void;

const has = (fields: Fields, name: string): boolean => fields[name] !== undefined;

/** Puts what a rule found at a path below the object. */
export function report(context: Context, path: readonly PropertyKey[], message: string): void {
  context.addIssue({ code: "custom", path: [...path], message });
}

/** Object with these fields and no others. */
export function object<T extends core.$ZodLooseShape>(shape: T, ...rules: readonly ObjectRule[]) {
  const error = (issue: core.$ZodRawIssue): string | undefined =>
    issue.code === "invalid_type" ? fault("an object")(issue) : undefined;
  return strictObject(shape, { error }).superRefine((fields, context) => {
    for (const rule of rules) {
      rule(fields as Fields, context as unknown as Context);
    }
  });
}

/** Exactly one of these fields is there. */
export const exactlyOne =
  (...names: readonly string[]): ObjectRule =>
  (fields, context) => {
    const found = names.filter((name) => has(fields, name));
    if (found.length !== 1) {
      const holds = found.length === 0 ? "none of them" : found.join(" and ");
      report(context, [], `must hold exactly one of ${names.join(", ")}, but holds ${holds}`);
    }
  };

/** Object of which exactly one field is there. */
export function oneField<T extends core.$ZodLooseShape>(shape: T) {
  return object(shape, exactlyOne(...Object.keys(shape)));
}

/** At least one of these fields is there. */
export const someOf =
  (...names: readonly string[]): ObjectRule =>
  (fields, context) => {
    if (!names.some((name) => has(fields, name))) {
      report(context, [], `must hold at least one of ${names.join(", ")}, but holds none of them`);
    }
  };

/** Where the first field is, the others must be too. */
export const needs =
  (name: string, ...others: readonly string[]): ObjectRule =>
  (fields, context) => {
    for (const other of has(fields, name) ? others : []) {
      if (!has(fields, other)) {
        report(context, [other], `is required with ${name}, but missing`);
      }
    }
  };

/** Where the first field is, the other must not be. */
export const excludes =
  (name: string, other: string): ObjectRule =>
  (fields, context) => {
    if (has(fields, name) && has(fields, other)) {
      report(context, [other], `must not be together with ${name}`);
    }
  };

/** List of so many entries. */
export function list(min: number, max: number, entry: ZodType) {
  const count = (issue: core.$ZodRawIssue): number => (issue.input as unknown[]).length;
  return array(entry, { error: fault("a list") })
    .min(min, {
      error: (issue) =>
        `must have at least ${min} ${min === 1 ? "entry" : "entries"}, but has ${count(issue)}`,
    })
    .max(max, { error: (issue) => `may have at most ${max} entries, but has ${count(issue)}` });
}

/** Date and time with a zone. */
export function instant() {
  const rule = `a date and time with a zone, such as ${INSTANT_EXAMPLE}`;
  return string({ error: fault(rule) }).refine(isInstant, { error: fault(rule) });
}

/** URL with any scheme, including that of an app. */
export function anyUrl() {
  const rule = "a complete URL such as https://example.com";
  return string({ error: fault(rule) }).refine((value) => /^\S+$/.test(value) && URL.canParse(value), {
    error: fault(rule),
  });
}
