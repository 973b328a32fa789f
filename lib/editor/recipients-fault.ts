import { findDigitsFault, readSpelling } from "../shared/phone-number";
import { sharedTexts } from "./texts";

/** Why a list of numbers typed into the dialog cannot be sent to, or null. National numbers pass: the account decides. */
export function findRecipientsFault(typed: string): string | null {
  for (const number of typed.split(/[,;\n]/)) {
    const spelling = readSpelling(number);
    const fault =
      spelling.kind === "fault"
        ? spelling
        : spelling.kind === "international"
          ? findDigitsFault(spelling.digits)
          : null;
    if (fault !== null) {
      return sharedTexts("fault.number", { number: number.trim(), reason: fault.explanation });
    }
  }
  return null;
}
