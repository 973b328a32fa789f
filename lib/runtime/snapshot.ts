import { FieldError } from "../shared/messaging-error";

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

/** A structure, or a text that holds one as JSON. @throws FieldError */
export function structure(value: unknown, name: string): unknown {
  const text = Buffer.isBuffer(value) ? value.toString("utf8") : value;
  if (typeof text !== "string") {
    return snapshot(text, name);
  }
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
