import { sanitiseText } from "../shared/sanitise-text";
import { say } from "./say";

/** Characters of a value that are shown. */
const LONGEST = 40;

/**
 * A value of others as it stands in a text that people read: a text in quotes, on one line and short; a number, yes-or-no or
 * null as it is; of anything else its kind. Calls nothing on the value, which may be hostile.
 * @param longest characters of a text that are shown
 */
export function quoteValue(value: unknown, longest = LONGEST): string {
  switch (typeof value) {
    case "string":
      return `'${sanitiseText(value, longest)}'`;
    case "number":
    case "boolean":
      return String(value);
    case "object":
      return value === null
        ? "null"
        : isList(value)
          ? say("values.list")
          : say("values.type", { type: "object" });
    default:
      return say("values.type", { type: typeof value });
  }
}

/** A revoked proxy makes even this question throw. */
function isList(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
