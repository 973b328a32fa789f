import { hasBraces } from "../../shared/personal-text/has-braces";
import { readEntries } from "../../shared/recipients/entry-reader";
import { readSpelling } from "../../shared/recipients/phone-number";

/** A list with national numbers has one among the first entries. */
const MOST_LOOKED = 100;

/** Finds the first number that needs a default country, such as 079… */
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
