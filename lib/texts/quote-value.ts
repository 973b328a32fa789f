import { sanitiseText } from "../shared/sanitise-text";
import { say } from "./say";

const MAX_LENGTH = 40;

/** Quotes a foreign value in one short line. Calls no method of the value, which may be hostile. */
export function quoteValue(value: unknown, max = MAX_LENGTH): string {
  switch (typeof value) {
    case "string":
      return `'${sanitiseText(value, max)}'`;
    case "number":
    case "boolean":
      return String(value);
    case "object":
      if (value === null) {
        return "null";
      }
      return Array.isArray(value) ? say("values.list") : say("values.type", { type: "object" });
    default:
      return say("values.type", { type: typeof value });
  }
}
