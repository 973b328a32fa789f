import { isDate } from "node:util/types";
import { FieldError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import { parseProblem, stringifyProblem } from "./json-problem";

/** Copies as JSON: later nodes may change an emitted message while requests with the same value wait. @throws FieldError */
export function copyAsJson(value: unknown, name: string): unknown {
  try {
    const json = JSON.stringify(value);
    return json === undefined ? value : JSON.parse(json);
  } catch (error) {
    const problem = say("sources.value.no-json-form", { error: stringifyProblem(error as Error) });
    throw new FieldError("FIELD_INVALID", name, problem);
  }
}

/** Rejects NaN, infinite numbers and invalid dates, which JSON would replace by null. @throws FieldError */
function rejectValuesWithoutJson(value: unknown, name: string): void {
  const paths = new Map<unknown, string>();
  JSON.stringify(value, function (this: Record<string, unknown>, key, held: unknown) {
    const parent = paths.get(this);
    const step = Array.isArray(this) ? `[${key}]` : `.${key}`;
    const path = parent === undefined ? name : `${parent}${step}`;
    if (typeof held === "number" && !Number.isFinite(held)) {
      throw new FieldError("FIELD_INVALID", path, say("sources.value.not-number", { value: held }));
    }
    const given = this[key];
    if (held === null && isDate(given)) {
      throw new FieldError("FIELD_INVALID", path, say("sources.value.invalid-date"));
    }
    if (typeof held === "object" && held !== null) {
      paths.set(held, path);
    }
    return held;
  });
}

/** An object or list, or a text that contains one as JSON. @throws FieldError */
export function jsonValue(value: unknown, name: string): unknown {
  const text = Buffer.isBuffer(value) ? value.toString("utf8") : value;
  const read = typeof text === "string" ? parseJson(text, name) : copyAsJson(text, name);
  // The copy already has null for values without JSON.
  rejectValuesWithoutJson(typeof text === "string" ? read : text, name);
  return read;
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const problem = say("sources.value.text-not-json", { error: parseProblem(error as Error) });
    throw new FieldError("FIELD_INVALID", name, problem);
  }
}

/** Reads a list. Each line of a text is an entry, unless the text is JSON. @throws FieldError */
export function listOfLines(value: unknown, name: string): unknown {
  if (typeof value !== "string" || /^\s*[[{]/.test(value)) {
    return jsonValue(value, name);
  }
  return value
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
