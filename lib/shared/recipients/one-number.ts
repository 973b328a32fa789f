import { parseRecipients } from "./recipients";

/** The digits of the one number in a value; null where there is none, or anything else beside it. */
export function oneNumber(value: unknown, defaultCountry: string): string | null {
  const { accepted, rejected } = parseRecipients(value, { defaultCountry });
  const [number = null] = accepted;
  return accepted.length === 1 && rejected.length === 0 ? number : null;
}
