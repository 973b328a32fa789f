import type { PersonalText, PersonalTextError } from "../../shared/personal-text/personal-text";

/** What fills texts, as the runtime does. */
export interface TextLibrary {
  readonly PersonalText: typeof PersonalText;
  readonly PersonalTextError: typeof PersonalTextError;
}

/**
 * Each dialog is a separate bundle. Only the bundle of the account contains the library and shares it with the others; the order of
 * loading does not matter.
 */
const KEY = Symbol.for("@messaging-service/node-red-messaging/personal-text");
const page = globalThis as { [KEY]?: TextLibrary };

export function shareTextLibrary(library: TextLibrary): void {
  page[KEY] = library;
}

/** Undefined if the code of the account was not loaded. */
export const textLibrary = (): TextLibrary | undefined => page[KEY];
