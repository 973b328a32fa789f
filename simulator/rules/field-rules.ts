import type { RawFields } from "../request/decode-body";
import type { CheckContext } from "./check-context";
import { UploadedFile } from "../request/uploaded-file";

/**
 * How a request is turned down: a status code of the service, the name of an OAuth error, or null where the
 * contract has no word for it, which becomes a bare HTTP error with the reason in plain text.
 */
export type Verdict = number | string | null;

export interface Refusal {
  readonly verdict: Verdict;
  readonly reason: string;
  /** Without it the one that goes with the status code, or else 400. */
  readonly httpStatus?: number;
}

/** An object as JSON brings it, not looked into yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export type FieldValue =
  | string
  | number
  | boolean
  | readonly string[]
  | JsonObject
  | readonly JsonObject[]
  | UploadedFile;

/** Checked parameters, in their proper types. */
export type Fields = Readonly<Record<string, FieldValue>>;

export interface FieldProblem {
  readonly reason: string;
  /** Where inside the value, as `.a.b[0]`. */
  readonly path?: string;
  /** Instead of the rule's `invalid`. */
  readonly verdict?: Verdict;
  /** Instead of the rule's `httpStatus`. */
  readonly httpStatus?: number;
}

/** Looks at one value that already has the right type; null when there is nothing to say against it. */
export type FieldCheck<Value extends FieldValue = FieldValue> = (
  value: Value,
  fields: Fields,
  facts: CheckContext,
) => FieldProblem | null;

interface RuleOf<Type extends string, Value extends FieldValue> {
  readonly name: string;
  readonly type: Type;
  readonly required: boolean;
  /** When a required parameter is absent; 4019 without it. */
  readonly missing?: Verdict;
  /** When the parameter is there and empty; without it `invalid`. */
  readonly empty?: Verdict;
  /** True: an empty value is as good as any. */
  readonly mayBeEmpty?: true;
  /** When the value has the wrong type or fails `check`. */
  readonly invalid: Verdict;
  /** HTTP status of every failure, instead of the one that goes with the status code. */
  readonly httpStatus?: number;
  readonly check?: FieldCheck<Value>;
}

/**
 * One parameter of an endpoint. `list` is comma-joined or repeated in a form, and an array of strings in JSON.
 * `object` and `objects` (an array of them) exist in JSON only, `file` only in a multipart body.
 */
export type FieldRule =
  | RuleOf<"text", string>
  | RuleOf<"integer", number>
  | RuleOf<"boolean", boolean>
  | RuleOf<"list", readonly string[]>
  | RuleOf<"object", JsonObject>
  | RuleOf<"objects", readonly JsonObject[]>
  | RuleOf<"file", UploadedFile>;

/** Where the raw values come from, which decides how a type is written. */
export type FieldSource = "form" | "json" | "multipart";

export type CheckedFields =
  | { readonly fields: Fields; readonly refusal: null }
  /** `fields`: those that were good. */
  | { readonly fields: Fields; readonly refusal: Refusal };

/** Checks parameters against the rules: unknown ones, repeated ones, missing ones, then each in the rules' order. */
export function checkFields(
  rules: readonly FieldRule[],
  raw: RawFields,
  source: FieldSource,
  facts: CheckContext,
): CheckedFields {
  const fields: Record<string, FieldValue> = {};
  let refusal = refuseShape(rules, raw);
  for (const rule of rules) {
    const values = raw.get(rule.name);
    if (!values) continue;
    const value = READERS[source](rule, values);
    const problem = judge(rule, value, fields, facts);
    if (problem) refusal ??= toRefusal(rule, problem);
    else if (value !== null) fields[rule.name] = value;
  }
  return { fields, refusal };
}

function toRefusal(rule: FieldRule, { path = "", reason, ...rest }: FieldProblem): Refusal {
  return { verdict: rule.invalid, ...statusOf(rule), ...rest, reason: `${rule.name}${path}: ${reason}` };
}

function refuseShape(rules: readonly FieldRule[], raw: RawFields): Refusal | null {
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  for (const name of raw.keys()) {
    if (!byName.has(name)) return { verdict: null, reason: `unknown parameter "${name}"` };
  }
  for (const [name, values] of raw) {
    if (values.length > 1 && byName.get(name)?.type !== "list") {
      return { verdict: null, reason: `parameter "${name}" is given ${values.length} times` };
    }
  }
  const missing = rules.find((rule) => rule.required && !raw.has(rule.name));
  if (!missing) return null;
  // 4019 means "missing" by itself; any other code needs the word.
  if (missing.missing === undefined) return { verdict: 4019, reason: missing.name };
  return { verdict: missing.missing, ...statusOf(missing), reason: `${missing.name}: is missing` };
}

function statusOf({ httpStatus }: FieldRule): { readonly httpStatus?: number } {
  return httpStatus === undefined ? {} : { httpStatus };
}

function judge(
  rule: FieldRule,
  value: FieldValue | null,
  fields: Fields,
  facts: CheckContext,
): FieldProblem | null {
  if (value === null) return { reason: `must be ${DESCRIPTIONS[rule.type]}` };
  if (!rule.mayBeEmpty && isEmpty(value)) {
    return rule.empty === undefined
      ? { reason: "must not be empty" }
      : { reason: "must not be empty", verdict: rule.empty };
  }
  // The readers below made the value fit the rule's type.
  return (rule.check as FieldCheck | undefined)?.(value, fields, facts) ?? null;
}

function isEmpty(value: FieldValue): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}

const DESCRIPTIONS = {
  text: "a string",
  integer: "an integer",
  boolean: "true or false",
  list: "a list of strings",
  object: "an object",
  objects: "a list of objects",
  file: "a file with a file name",
} as const;

const READERS: Readonly<
  Record<FieldSource, (rule: FieldRule, values: readonly unknown[]) => FieldValue | null>
> = {
  form: (rule, values) => readForm(rule, values as readonly string[]),
  json: (rule, [value]) => readJson(rule, value),
  multipart: (rule, [value]) => (rule.type === "file" && value instanceof UploadedFile ? value : null),
};

function readForm(rule: FieldRule, values: readonly string[]): FieldValue | null {
  const [first = ""] = values;
  switch (rule.type) {
    case "text":
      return first;
    case "integer":
      return /^-?\d{1,15}$/.test(first) ? Number(first) : null;
    case "boolean":
      return first === "true" ? true : first === "false" ? false : null;
    case "list":
      return values.every((value) => value === "") ? [] : values.flatMap((value) => value.split(","));
    case "object":
    case "objects":
    case "file":
      return null;
  }
}

function readJson(rule: FieldRule, value: unknown): FieldValue | null {
  switch (rule.type) {
    case "text":
      return typeof value === "string" ? value : null;
    case "integer":
      return Number.isSafeInteger(value) ? (value as number) : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "list":
      return Array.isArray(value) && value.every((entry) => typeof entry === "string") ? value : null;
    case "object":
      return isObject(value) ? value : null;
    case "objects":
      return Array.isArray(value) && value.every(isObject) ? value : null;
    case "file":
      return null;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
