import { PersonalText, PersonalTextError } from "../../shared/personal-text/personal-text";
import { shareTextLibrary } from "./text-library";

/** Called by the account node, which all other nodes need. */
export const provideTextLibrary = (): void => shareTextLibrary({ PersonalText, PersonalTextError });
