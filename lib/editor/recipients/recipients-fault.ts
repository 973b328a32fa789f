import { sharedTexts } from "../dialog/texts";
import { recipientEntries } from "../../shared/recipients/entry-reader";
import {
  findDigitsFault,
  INTERNATIONAL_DIGITS,
  readSpelling,
  type SpellingFault,
} from "../../shared/recipients/phone-number";

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

/** Cached because each key in a dialog repeats the check, and lists can be long. */
let latest: { readonly typed: string; readonly fault: string | null } = { typed: "", fault: null };

/** National numbers are valid here: the account decides. */
export function findRecipientsFault(typed: string): string | null {
  if (latest.typed !== typed) {
    latest = { typed, fault: findFirst(typed) };
  }
  return latest.fault;
}

function findFirst(typed: string): string | null {
  const found = findFaultyRecipient(typed);
  return found === null
    ? null
    : sharedTexts("fault.number", {
        number: found.number,
        reason: sharedTexts(`recipients.reason.${found.reason}`),
      });
}
