import { hasBraces, PersonalText, PersonalTextError } from "../../shared/personal-text/personal-text";
import { sharedTexts } from "../dialog/texts";

/** Why a typed text can never be filled with values, such as braces without an end; or null. */
export function findPersonalFault(text: string): string | null {
  if (!hasBraces(text)) {
    return null;
  }
  try {
    new PersonalText(text);
    return null;
  } catch (error) {
    if (error instanceof PersonalTextError) {
      return sharedTexts(`personal.fault.${error.reason}`);
    }
    throw error;
  }
}
