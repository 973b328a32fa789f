import { recipientEntries } from "../../shared/recipients/entry-reader";
import {
  findDigitsFault,
  INTERNATIONAL_DIGITS,
  readSpelling,
  type SpellingFault,
} from "../../shared/recipients/phone-number";

/** The first entry of a typed list that is not a valid number for any account, or null. */
export function findFaultyRecipient(
  typed: string,
): { readonly number: string; readonly reason: SpellingFault } | null {
  for (const entry of recipientEntries(typed)) {
    const number = entry.trim();
    if (INTERNATIONAL_DIGITS.test(number.startsWith("+") ? number.slice(1) : number)) {
      continue;
    }
    const spelling = readSpelling(number);
    const fault =
      spelling.form === "fault"
        ? spelling
        : spelling.form === "international"
          ? findDigitsFault(spelling.digits)
          : null;
    if (fault !== null) {
      return { number, reason: fault.reason };
    }
  }
  return null;
}
