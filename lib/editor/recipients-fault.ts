import { recipientEntries } from "../shared/entry-reader";
import { findDigitsFault, INTERNATIONAL_DIGITS, readSpelling } from "../shared/phone-number";
import { sharedTexts } from "./texts";

/** The list asked about last: every key pressed anywhere in a dialog asks again, and lists can be long. */
let latest: { readonly typed: string; readonly fault: string | null } = { typed: "", fault: null };

/** Why a list of numbers typed into the dialog cannot be sent to, or null. National numbers pass: the account decides. */
export function findRecipientsFault(typed: string): string | null {
  if (latest.typed !== typed) {
    latest = { typed, fault: findFirst(typed) };
  }
  return latest.fault;
}

function findFirst(typed: string): string | null {
  for (const piece of recipientEntries(typed)) {
    const number = piece.trim();
    if (INTERNATIONAL_DIGITS.test(number.startsWith("+") ? number.slice(1) : number)) {
      continue;
    }
    const spelling = readSpelling(number);
    const fault =
      spelling.kind === "fault"
        ? spelling
        : spelling.kind === "international"
          ? findDigitsFault(spelling.digits)
          : null;
    if (fault !== null) {
      return sharedTexts("fault.number", {
        number,
        reason: sharedTexts(`recipients.reason.${fault.reason}`),
      });
    }
  }
  return null;
}
