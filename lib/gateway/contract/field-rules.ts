import { array, boolean, type core, number, string, unknown, enum as wordOf } from "zod";
import { countCharacters } from "../../shared/characters";
import { LIMITS } from "../../shared/fields/limits";
import { findExcess, findPlaceholderFault } from "../../shared/placeholders";
import { E164, INTERNATIONAL_DIGITS } from "../../shared/recipients/phone-number";
import { UUID } from "../../shared/uuid";
import { quoteValue } from "../../texts/quote-value";
import { findHalfCharacter } from "./well-formed";

/**
 * Building blocks of the request schemas. Each error completes the sentence "<field> …" and names the limit
 * and the value, because users read these texts, not the schema.
 */
type Issue = core.$ZodRawIssue;

/** What is wrong with a value that breaks a rule. */
export const fault = (rule: string) => (issue: Issue) =>
  issue.input === undefined
    ? "is required, but missing"
    : `must be ${rule}, but is ${quoteValue(issue.input)}`;

const tooLong = (max: number, count: number): string =>
  `may have at most ${max} characters, but has ${count}`;

/** Text of `min` to `max` characters. */
export function text(min: number, max = Number.POSITIVE_INFINITY) {
  const base = string({ error: fault("a text") }).min(min, { error: () => "is required, but empty" });
  if (max === Number.POSITIVE_INFINITY) {
    return base;
  }
  return base.refine((value) => value.length <= max || countCharacters(value) <= max, {
    error: (issue) => tooLong(max, countCharacters(String(issue.input))),
  });
}

/** Whole number between two limits, both included. */
export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER, unit = "") {
  const top = max === Number.MAX_SAFE_INTEGER ? "" : ` and at most ${max}${unit}`;
  const bottom = min === Number.MIN_SAFE_INTEGER ? "" : `, at least ${min}${unit}`;
  const rule = fault(`a whole number${bottom}${top}`);
  return number({ error: rule }).int({ error: rule }).min(min, { error: rule }).max(max, { error: rule });
}

/** Number between two limits, both included, whole or not. */
export function decimal(min: number, max: number = Number.MAX_VALUE) {
  const rule = fault(`a number, at least ${min}${max === Number.MAX_VALUE ? "" : ` and at most ${max}`}`);
  return number({ error: rule }).min(min, { error: rule }).max(max, { error: rule });
}

/** `true` or `false`, nothing that merely looks like it. */
export function flag() {
  return boolean({ error: fault("true or false") });
}

/** One of a few words. */
export function oneOf<const T extends readonly [string, ...string[]]>(...words: T) {
  return wordOf(words, { error: fault(words.map((word) => `'${word}'`).join(" or ")) });
}

/** URL that a service on the Internet can call. */
export function httpUrl() {
  return string({ error: fault("a URL") }).refine(
    (value) => /^https?:\/\//i.test(value) && URL.canParse(value),
    { error: fault("a complete URL starting with https://") },
  );
}

/** UUID, any version. */
export function uuid() {
  return string({ error: fault("a UUID") }).regex(UUID, {
    error: fault("a UUID such as 123e4567-e89b-12d3-a456-426614174000"),
  });
}

/** List of MSISDNs, digits without plus: how the legacy style writes recipients. */
export function msisdnList() {
  return array(
    string({ error: fault("a text of digits") }).regex(INTERNATIONAL_DIGITS, {
      error: fault("a number in international form without plus"),
    }),
    {
      error: fault("a list of numbers"),
    },
  )
    .min(1, { error: () => "is required, but empty" })
    .max(LIMITS.recipientsPerRequest, {
      error: (issue) =>
        `may have at most ${LIMITS.recipientsPerRequest} entries, but has ${(issue.input as unknown[]).length}`,
    });
}

/** One recipient with plus: how the OAuth style writes it. */
export function e164() {
  return string({ error: fault("a number") }).regex(E164, {
    error: fault("a number in international form with plus"),
  });
}

/** Completes the sentence "<field> placeholder <number> …", or null. */
function placeholderProblem(entry: unknown): string | null {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    return `must be a text or an object with the key 'default', but is ${quoteValue(entry)}`;
  }
  const keys = Object.keys(entry);
  if (keys.length !== 1 || keys[0] !== "default") {
    const found = keys.length === 0 ? "none" : keys.map((key) => quoteValue(key)).join(", ");
    return `must have exactly one key, 'default', but has ${found}`;
  }
  const value: unknown = (entry as Record<string, unknown>).default;
  if (typeof value !== "string") {
    return `must hold a text, but holds ${quoteValue(value)}`;
  }
  const broken = findPlaceholderFault(value);
  if (broken === null) {
    return findHalfCharacter(value);
  }
  if (broken.rule === "empty") {
    return "must not be empty: the service would send the text with a gap";
  }
  return broken.rule === "too-long"
    ? tooLong(LIMITS.placeholderValue, broken.count)
    : `must not hold a line break, but is ${quoteValue(value)}`;
}

/** Placeholders of a template in order, each `{ default: text }`; a fault names one by its number, counted from 1. */
export function placeholderList() {
  return array(unknown(), { error: fault("a list of texts") }).superRefine((entries, context) => {
    entries.forEach((entry, at) => {
      const problem = placeholderProblem(entry);
      if (problem !== null) {
        context.addIssue({ code: "custom", message: `placeholder ${at + 1} ${problem}` });
      }
    });
    const count = findExcess(entries.map((entry) => String((entry as { default?: unknown })?.default ?? "")));
    if (count !== null) {
      const message = `may have at most ${LIMITS.templateContent} characters together, but have ${count}`;
      context.addIssue({ code: "custom", message });
    }
  });
}
