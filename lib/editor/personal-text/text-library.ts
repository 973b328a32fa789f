import type { PersonalText, PersonalTextError } from "../../shared/personal-text/personal-text";
import { hasBraces } from "../../shared/personal-text/has-braces";
import { sharedTexts } from "../dialog/texts";

export interface TextLibrary {
  readonly PersonalText: typeof PersonalText;
  readonly PersonalTextError: typeof PersonalTextError;
}

/** Dialogs are separate bundles. Only the account's bundle contains the library; the loading order does not matter. */
const KEY = Symbol.for("@messaging-service/node-red-messaging/personal-text");
const page = globalThis as { [KEY]?: TextLibrary };

export function shareTextLibrary(library: TextLibrary): void {
  page[KEY] = library;
}

/** Undefined if the code of the account was not loaded. */
export const textLibrary = (): TextLibrary | undefined => page[KEY];

/** Null for a text without braces. */
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

/** Null for a text that can be filled. */
export function findPersonalFault(text: string): string | null {
  const parsed = parseText(text);
  return typeof parsed === "string" ? sharedTexts(`personal.fault.${parsed}`) : null;
}
