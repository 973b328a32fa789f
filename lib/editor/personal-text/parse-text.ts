import { hasBraces } from "../../shared/personal-text/has-braces";
import type { PersonalText, PersonalTextError } from "../../shared/personal-text/personal-text";
import { textLibrary } from "./text-library";

/** A typed text with values of the message, or why it can never have them; null for a text without braces. */
export function parseText(template: string): PersonalText | PersonalTextError["reason"] | null {
  const library = textLibrary();
  if (library === undefined || !hasBraces(template)) {
    return null;
  }
  try {
    return new library.PersonalText(template);
  } catch (error) {
    if (error instanceof library.PersonalTextError) {
      return error.reason;
    }
    throw error;
  }
}
