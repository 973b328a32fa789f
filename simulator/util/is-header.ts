import { validateHeaderName, validateHeaderValue } from "node:http";

/** True for a name and a value that HTTP permits. */
export function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
