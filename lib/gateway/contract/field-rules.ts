import { array, boolean, type core, number, string, unknown, enum as wordOf } from "zod";
import { countCharacters } from "../../shared/characters";
import { LIMITS } from "../../shared/fields/limits";
import { findExcess, findPlaceholderFault } from "../../shared/placeholders";
import { E164, INTERNATIONAL_DIGITS } from "../../shared/recipients/phone-number";
import { UUID } from "../../shared/uuid";
import type { TextKey } from "../../texts/catalogues";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { findHalfCharacter } from "./well-formed";

/** Each error completes the sentence "<field> …" with limit and value, because users read it. */
type Issue = core.$ZodRawIssue;

/** Builds the error of a broken rule. A function makes its text on demand. */
export const fault = (rule: TextKey | (() => string)) => (issue: Issue) =>
  issue.input === undefined
    ? say("fields.missing")
    : say("fields.must-be", {
        rule: typeof rule === "function" ? rule() : say(rule),
        value: quoteValue(issue.input),
      });

const tooLong = (max: number, count: number): string => say("fields.too-long", { max, count });
const empty = (): string => say("fields.empty");

export function text(min: number, max = Number.POSITIVE_INFINITY) {
  const base = string({ error: fault("fields.rule.text") }).min(min, { error: empty });
  if (max === Number.POSITIVE_INFINITY) {
    return base;
  }
  return base.refine((value) => value.length <= max || countCharacters(value) <= max, {
    error: (issue) => tooLong(max, countCharacters(String(issue.input))),
  });
}

export function integer(
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
  unit: "seconds" | "bytes" | null = null,
) {
  const from = min !== Number.MIN_SAFE_INTEGER;
  const to = max !== Number.MAX_SAFE_INTEGER;
  const limits = from ? (to ? "range" : "from") : to ? "to" : "any";
  const amount = (n: number): string => (unit === null ? String(n) : say(`fields.unit.${unit}`, { n }));
  const rule = fault(() => say(`fields.rule.whole.${limits}`, { min: amount(min), max: amount(max) }));
  return number({ error: rule }).int({ error: rule }).min(min, { error: rule }).max(max, { error: rule });
}

export function decimal(min: number, max: number = Number.MAX_VALUE) {
  const limits = max === Number.MAX_VALUE ? "from" : "range";
  const rule = fault(() => say(`fields.rule.decimal.${limits}`, { min, max }));
  return number({ error: rule }).min(min, { error: rule }).max(max, { error: rule });
}

export function flag() {
  return boolean({ error: fault("fields.rule.flag") });
}

export function oneOf<const T extends readonly [string, ...string[]]>(...words: T) {
  return wordOf(words, { error: fault(() => words.map((word) => `'${word}'`).join(say("values.or"))) });
}

export function httpUrl() {
  return string({ error: fault("fields.rule.url") }).refine(
    (value) => /^https?:\/\//i.test(value) && URL.canParse(value),
    { error: fault("fields.rule.https-url") },
  );
}

export function uuid() {
  return string({ error: fault("fields.rule.uuid") }).regex(UUID, {
    error: fault("fields.rule.uuid-form"),
  });
}

export function msisdnList() {
  return array(
    string({ error: fault("fields.rule.digits") }).regex(INTERNATIONAL_DIGITS, {
      error: fault("fields.rule.msisdn"),
    }),
    {
      error: fault("fields.rule.numbers"),
    },
  )
    .min(1, { error: empty })
    .max(LIMITS.recipientsPerRequest, {
      error: (issue) =>
        say("fields.too-many-entries", {
          max: LIMITS.recipientsPerRequest,
          count: (issue.input as unknown[]).length,
        }),
    });
}

export function e164() {
  return string({ error: fault("fields.rule.number") }).regex(E164, {
    error: fault("fields.rule.e164"),
  });
}

function placeholderProblem(entry: unknown): string | null {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    return say("fields.placeholder.wrong-type", { value: quoteValue(entry) });
  }
  const keys = Object.keys(entry);
  if (keys.length !== 1 || keys[0] !== "default") {
    return keys.length === 0
      ? say("fields.placeholder.no-key")
      : say("fields.placeholder.keys", { keys: keys.map((key) => quoteValue(key)).join(", ") });
  }
  const value: unknown = (entry as Record<string, unknown>).default;
  if (typeof value !== "string") {
    return say("fields.placeholder.no-text", { value: quoteValue(value) });
  }
  const broken = findPlaceholderFault(value);
  if (broken === null) {
    return findHalfCharacter(value);
  }
  if (broken.rule === "empty") {
    return say("fields.placeholder.empty");
  }
  return broken.rule === "too-long"
    ? tooLong(LIMITS.placeholderValue, broken.count)
    : say("fields.placeholder.line-break", { value: quoteValue(value) });
}

/** Template placeholders in order. An error names one by its number, from 1. */
export function placeholderList() {
  return array(unknown(), { error: fault("fields.rule.texts") }).superRefine((entries, context) => {
    entries.forEach((entry, at) => {
      const problem = placeholderProblem(entry);
      if (problem !== null) {
        const message = say("fields.placeholder.place", { n: at + 1, problem });
        context.addIssue({ code: "custom", message });
      }
    });
    const count = findExcess(entries.map((entry) => String((entry as { default?: unknown })?.default ?? "")));
    if (count !== null) {
      const message = say("fields.together-too-long", { max: LIMITS.templateContent, count });
      context.addIssue({ code: "custom", message });
    }
  });
}
