import { z } from "zod";
import type { RawFields } from "../request/decode-body";
import type { Inventory } from "../inventory/inventory";
import { UploadedFile } from "../request/uploaded-file";

/** A status code of the service, the name of an OAuth error, or null for a bare HTTP error with the reason as text. */
export type RefusalCode = number | string | null;

export interface Refusal {
  readonly code: RefusalCode;
  readonly reason: string;
  readonly httpStatus?: number;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export type FieldValue =
  | string
  | number
  | boolean
  | readonly string[]
  | JsonObject
  | readonly JsonObject[]
  | UploadedFile;

export type Fields = Readonly<Record<string, FieldValue>>;

export interface FieldProblem {
  readonly reason: string;
  readonly path?: string;
  readonly code?: RefusalCode;
  readonly httpStatus?: number;
}

export interface CheckContext {
  readonly maxPriority: number;
  readonly maxUpload: number;
  readonly inventory: Inventory;
}

export type FieldCheck<Value extends FieldValue = FieldValue> = (
  value: Value,
  fields: Fields,
  context: CheckContext,
) => FieldProblem | null;

interface RuleOf<Type extends string, Value extends FieldValue> {
  readonly name: string;
  readonly type: Type;
  /** Code for a missing parameter; absent for an optional one. */
  readonly missing?: RefusalCode;
  /** Code for an empty value. Default: `invalid`. */
  readonly empty?: RefusalCode;
  readonly mayBeEmpty?: true;
  readonly invalid: RefusalCode;
  readonly httpStatus?: number;
  readonly check?: FieldCheck<Value>;
}

/** A `list` is comma-separated or repeated in a form, and an array of strings in JSON. */
export type FieldRule =
  | RuleOf<"text", string>
  | RuleOf<"integer", number>
  | RuleOf<"boolean", boolean>
  | RuleOf<"list", readonly string[]>
  | RuleOf<"object", JsonObject>
  | RuleOf<"objects", readonly JsonObject[]>
  | RuleOf<"file", UploadedFile>;

export interface CheckedFields {
  readonly fields: Fields;
  readonly refusal: Refusal | null;
}

/** Checks parameters: first unknown, repeated and missing ones, then each value in the order of the rules. */
export function checkFields(
  rules: readonly FieldRule[],
  raw: RawFields,
  isForm: boolean,
  context: CheckContext,
): CheckedFields {
  const fields: Record<string, FieldValue> = {};
  let refusal = refuseShape(rules, raw);
  for (const rule of rules) {
    const values = raw.get(rule.name);
    if (!values) continue;
    const value = readValue(rule, isForm, values);
    const problem = checkValue(rule, value, fields, context);
    if (problem) refusal ??= toRefusal(rule, problem);
    else if (value !== null) fields[rule.name] = value;
  }
  return { fields, refusal };
}

function toRefusal(rule: FieldRule, { path = "", reason, ...rest }: FieldProblem): Refusal {
  return { code: rule.invalid, ...statusOf(rule), ...rest, reason: `${rule.name}${path}: ${reason}` };
}

function refuseShape(rules: readonly FieldRule[], raw: RawFields): Refusal | null {
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  for (const name of raw.keys()) {
    if (!byName.has(name)) return { code: null, reason: `unknown parameter "${name}"` };
  }
  for (const [name, values] of raw) {
    if (values.length > 1 && byName.get(name)?.type !== "list") {
      return { code: null, reason: `parameter "${name}" is given ${values.length} times` };
    }
  }
  const absent = rules.find(({ name, missing }) => missing !== undefined && !raw.has(name));
  if (absent?.missing === undefined) return null;
  const { name, missing: code } = absent;
  // The text of 4019 already says "missing"; other codes need the word.
  return { code, ...statusOf(absent), reason: code === 4019 ? name : `${name}: is missing` };
}

function statusOf({ httpStatus }: FieldRule): { readonly httpStatus?: number } {
  return httpStatus === undefined ? {} : { httpStatus };
}

function checkValue(
  rule: FieldRule,
  value: FieldValue | null,
  fields: Fields,
  context: CheckContext,
): FieldProblem | null {
  if (value === null) return { reason: `must be ${TYPES[rule.type].described}` };
  if (!rule.mayBeEmpty && isEmpty(value)) {
    return rule.empty === undefined
      ? { reason: "must not be empty" }
      : { reason: "must not be empty", code: rule.empty };
  }
  return (rule.check as FieldCheck | undefined)?.(value, fields, context) ?? null;
}

function isEmpty(value: FieldValue): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}

interface FieldType {
  readonly described: string;
  readonly schema: z.ZodType<FieldValue>;
  /** Reads the values of a form; undefined for a value of another type. */
  readonly form?: (first: string, given: readonly string[]) => unknown;
}

const object = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

const TYPES: Readonly<Record<FieldRule["type"], FieldType>> = {
  text: { described: "a string", schema: z.string(), form: (first) => first },
  integer: {
    described: "an integer",
    schema: z.int(),
    form: (first) => (/^-?\d{1,15}$/.test(first) ? Number(first) : undefined),
  },
  boolean: {
    described: "true or false",
    schema: z.boolean(),
    form: (first) => ({ true: true, false: false })[first],
  },
  list: {
    described: "a list of strings",
    schema: z.array(z.string()),
    form: (_first, given) =>
      given.every((value) => value === "") ? [] : given.flatMap((value) => value.split(",")),
  },
  object: { described: "an object", schema: object },
  objects: { described: "a list of objects", schema: z.array(object) },
  file: {
    described: "a file with a file name",
    schema: z.custom<UploadedFile>((value) => value instanceof UploadedFile),
  },
};

function readValue({ type }: FieldRule, isForm: boolean, given: readonly unknown[]): FieldValue | null {
  const { form, schema } = TYPES[type];
  const [first] = given;
  const value = isForm ? form?.(String(first), given as readonly string[]) : first;
  return schema.safeParse(value).data ?? null;
}
