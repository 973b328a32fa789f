import type { RawFields } from "./decode-body";

/**
 * How a request is turned down: a status code of the service, the name of an OAuth error, or null where the
 * contract has no word for it, which becomes a bare HTTP error with the reason in plain text.
 */
export type Verdict = number | string | null;

export interface Refusal {
  readonly verdict: Verdict;
  readonly reason: string;
  /** Only for `verdict: null`; 400 without it. */
  readonly httpStatus?: number;
}

export type FieldValue = string | number | boolean | readonly string[];

/** Checked parameters, in their proper types. */
export type Fields = Readonly<Record<string, FieldValue>>;

/** Limits that the service sets for an account. */
export interface FieldLimits {
  readonly maxPriority: number;
}

export interface FieldProblem {
  readonly reason: string;
  /** Instead of the rule's `invalid`. */
  readonly verdict?: Verdict;
}

/** Looks at one value that already has the right type; null when there is nothing to say against it. */
export type FieldCheck<Value extends FieldValue = FieldValue> = (
  value: Value,
  fields: Fields,
  limits: FieldLimits,
) => FieldProblem | null;

interface RuleOf<Type extends string, Value extends FieldValue> {
  readonly name: string;
  readonly type: Type;
  readonly required: boolean;
  /** When a required parameter is absent. */
  readonly missing?: Verdict;
  /** When the parameter is there and empty; without it `invalid`. */
  readonly empty?: Verdict;
  /** When the value has the wrong type or fails `check`. */
  readonly invalid: Verdict;
  readonly check?: FieldCheck<Value>;
}

/** One parameter of an endpoint. `list` is comma-joined or repeated in a form, and an array of strings in JSON. */
export type FieldRule =
  | RuleOf<"text", string>
  | RuleOf<"integer", number>
  | RuleOf<"boolean", boolean>
  | RuleOf<"list", readonly string[]>;

/** Where the raw values come from, which decides how a type is written. */
export type FieldSource = "form" | "json";

export type CheckedFields =
  | { readonly fields: Fields; readonly refusal: null }
  /** `fields`: those that were good. */
  | { readonly fields: Fields; readonly refusal: Refusal };

/** Checks parameters against the rules: unknown ones, repeated ones, missing ones, then each in the rules' order. */
export function checkFields(
  rules: readonly FieldRule[],
  raw: RawFields,
  source: FieldSource,
  limits: FieldLimits,
): CheckedFields {
  const fields: Record<string, FieldValue> = {};
  let refusal = refuseShape(rules, raw);
  for (const rule of rules) {
    const values = raw.get(rule.name);
    if (!values) continue;
    const value = source === "form" ? readForm(rule, values as string[]) : readJson(rule, values[0]);
    const problem = judge(rule, value, fields, limits);
    if (problem) refusal ??= { verdict: rule.invalid, ...problem, reason: `${rule.name}: ${problem.reason}` };
    else if (value !== null) fields[rule.name] = value;
  }
  return { fields, refusal };
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
  return missing ? { verdict: missing.missing ?? 4019, reason: missing.name } : null;
}

function judge(
  rule: FieldRule,
  value: FieldValue | null,
  fields: Fields,
  limits: FieldLimits,
): FieldProblem | null {
  if (value === null) return { reason: `must be ${DESCRIPTIONS[rule.type]}` };
  if (value === "" || (Array.isArray(value) && value.length === 0)) {
    return rule.empty === undefined
      ? { reason: "must not be empty" }
      : { reason: "must not be empty", verdict: rule.empty };
  }
  // The readers below made the value fit the rule's type.
  return (rule.check as FieldCheck | undefined)?.(value, fields, limits) ?? null;
}

const DESCRIPTIONS = {
  text: "a string",
  integer: "an integer",
  boolean: "true or false",
  list: "a list of strings",
} as const;

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
  }
}
