import { parseRecipients } from "./recipients";

/** Returns null without a number, or with anything else. */
export function oneNumber(value: unknown, defaultCountry: string): string | null {
  const { accepted, rejected } = parseRecipients(value, { defaultCountry });
  const [number = null] = accepted;
  return accepted.length === 1 && rejected.length === 0 ? number : null;
}
