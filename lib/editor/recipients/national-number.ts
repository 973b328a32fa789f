import { hasBraces } from "../../shared/personal-text/has-braces";
import { readEntries } from "../../shared/recipients/entry-reader";
import { readSpelling } from "../../shared/recipients/phone-number";

/** Entries of a list that are looked at: where there are national numbers, one is among the first. */
const MOST_LOOKED = 100;

/** The first number of a text or a list, or a number itself, that only a default country makes readable, as 079…; null for none. */
export function nationalNumber(value: unknown): string | null {
  let looked = 0;
  for (const { value: entry } of readEntries(value)) {
    if (++looked > MOST_LOOKED) {
      return null;
    }
    if (typeof entry !== "string" || hasBraces(entry)) {
      continue;
    }
    const spelling = readSpelling(entry);
    if (spelling.form === "open" && spelling.digits.startsWith("0")) {
      return entry.trim();
    }
  }
  return null;
}
