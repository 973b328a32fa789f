import { PersonalText, PersonalTextError } from "../../shared/personal-text/personal-text";
import { shareTextLibrary } from "./text-library";

/** Provides all dialogs with the library that fills texts. Called by the account node, which all others need. */
export const provideTextLibrary = (): void => shareTextLibrary({ PersonalText, PersonalTextError });
