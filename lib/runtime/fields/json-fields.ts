import { isDate } from "node:util/types";
import { FieldError } from "../../shared/messaging-error";

/**
 * A structure as it will travel, on its own: a message that already left may be changed by later nodes while
 * others of the same list still wait to be sent.
 * @throws FieldError for what JSON cannot say
 */
export function snapshot(value: unknown, name: string): unknown {
  try {
    const json = JSON.stringify(value);
    return json === undefined ? value : JSON.parse(json);
  } catch (error) {
    throw new FieldError(
      "FIELD_INVALID",
      name,
      `cannot be written as JSON: ${firstLine((error as Error).message)}`,
    );
  }
}

/**
 * JSON writes null for NaN, an infinite number and a date that is none, so that something else would travel.
 * @throws FieldError naming the value by its path
 */
function requireSayable(value: unknown, name: string): void {
  const paths = new Map<unknown, string>();
  JSON.stringify(value, function (this: Record<string, unknown>, key, held: unknown) {
    const parent = paths.get(this);
    const step = Array.isArray(this) ? `[${key}]` : `.${key}`;
    const path = parent === undefined ? name : `${parent}${step}`;
    if (typeof held === "number" && !Number.isFinite(held)) {
      throw new FieldError("FIELD_INVALID", path, `must be a number, but is ${held}`);
    }
    const given = this[key];
    if (held === null && isDate(given)) {
      throw new FieldError("FIELD_INVALID", path, "must be a date, but is an invalid one");
    }
    if (typeof held === "object" && held !== null) {
      paths.set(held, path);
    }
    return held;
  });
}

/** A structure, or a text that holds one as JSON. @throws FieldError */
export function structure(value: unknown, name: string): unknown {
  const text = Buffer.isBuffer(value) ? value.toString("utf8") : value;
  const read = typeof text === "string" ? parsed(text, name) : snapshot(text, name);
  // A snapshot has null already for what the original cannot say.
  requireSayable(typeof text === "string" ? read : text, name);
  return read;
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = firstLine((error as Error).message);
    throw new FieldError(
      "FIELD_INVALID",
      name,
      `must be an object or a list, but is a text that is not JSON: ${reason}`,
    );
  }
}

/** A list; a text is one entry a line, unless it holds a structure as JSON. @throws FieldError */
export function lines(value: unknown, name: string): unknown {
  if (typeof value !== "string" || /^\s*[[{]/.test(value)) {
    return structure(value, name);
  }
  return value
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

const firstLine = (text: string): string => text.split("\n")[0] ?? "";
