import { hasBraces } from "../../shared/personal-text/has-braces";
import { recipientEntries } from "../../shared/recipients/entry-reader";

/** Removes and counts entries with braces, whose numbers only a message has. */
export function withoutPersonal(typed: string): { readonly text: string; readonly count: number } {
  if (!hasBraces(typed)) {
    return { text: typed, count: 0 };
  }
  const entries = [...recipientEntries(typed)];
  const known = entries.filter((entry) => !hasBraces(entry));
  return { text: known.join(", "), count: entries.length - known.length };
}
