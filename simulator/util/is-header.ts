import { validateHeaderName, validateHeaderValue } from "node:http";

/** True for a header that can travel. */
export function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
