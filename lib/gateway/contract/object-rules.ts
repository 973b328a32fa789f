import { array, type core, strictObject, string, type ZodType } from "zod";
import { INSTANT_EXAMPLE, isInstant } from "../../shared/instant";
import { say } from "../../texts/say";
import { fault } from "./field-rules";

/** Rules of nested objects: which fields may or must occur together. */

type Fields = Readonly<Record<string, unknown>>;
type Context = core.$RefinementCtx<Fields>;
export type ObjectRule = (fields: Fields, context: Context) => void;

const has = (fields: Fields, name: string): boolean => fields[name] !== undefined;

export function report(context: Context, path: readonly PropertyKey[], message: string): void {
  context.addIssue({ code: "custom", path: [...path], message });
}

export function object<T extends core.$ZodLooseShape>(shape: T, ...rules: readonly ObjectRule[]) {
  const error = (issue: core.$ZodRawIssue): string | undefined =>
    issue.code === "invalid_type" ? fault("fields.rule.object")(issue) : undefined;
  return strictObject(shape, { error }).superRefine((fields, context) => {
    for (const rule of rules) {
      rule(fields as Fields, context as unknown as Context);
    }
  });
}

export const exactlyOne =
  (...names: readonly string[]): ObjectRule =>
  (fields, context) => {
    const found = names.filter((name) => has(fields, name));
    if (found.length !== 1) {
      const values = { names: names.join(", "), found: found.join(say("values.and")) };
      report(context, [], say(`fields.one-of.${found.length === 0 ? "none" : "several"}`, values));
    }
  };

export function oneField<T extends core.$ZodLooseShape>(shape: T) {
  return object(shape, exactlyOne(...Object.keys(shape)));
}

export const someOf =
  (...names: readonly string[]): ObjectRule =>
  (fields, context) => {
    if (!names.some((name) => has(fields, name))) {
      report(context, [], say("fields.some-of", { names: names.join(", ") }));
    }
  };

export const needs =
  (name: string, ...others: readonly string[]): ObjectRule =>
  (fields, context) => {
    for (const other of has(fields, name) ? others : []) {
      if (!has(fields, other)) {
        report(context, [other], say("fields.needed-with", { name }));
      }
    }
  };

export const excludes =
  (name: string, other: string): ObjectRule =>
  (fields, context) => {
    if (has(fields, name) && has(fields, other)) {
      report(context, [other], say("fields.not-with", { name }));
    }
  };

export function list(min: number, max: number, entry: ZodType) {
  const count = (issue: core.$ZodRawIssue): number => (issue.input as unknown[]).length;
  return array(entry, { error: fault("fields.rule.list") })
    .min(min, {
      error: (issue) =>
        say(`fields.too-few-entries.${min === 1 ? "one" : "many"}`, { min, count: count(issue) }),
    })
    .max(max, { error: (issue) => say("fields.too-many-entries", { max, count: count(issue) }) });
}

export function instant() {
  const rule = fault(() => say("fields.rule.instant", { example: INSTANT_EXAMPLE }));
  return string({ error: rule }).refine(isInstant, { error: rule });
}

export function anyUrl() {
  const rule = fault("fields.rule.any-url");
  return string({ error: rule }).refine((value) => /^\S+$/.test(value) && URL.canParse(value), {
    error: rule,
  });
}
