import { excerpt } from "../excerpt";
import { plainWords } from "./plain-words";

/** Characters of a word or of several words that count as one. */
const LONGEST_WORD = 100;
/** Characters of a wrong entry that an error shows. */
const SHOWN = 40;

/** Characters of a message that can be such a word with its punctuation. Longer ones are not looked at. */
export const LONGEST_TEXT = 1_000;

/** What is between two entries of a list that somebody types. */
const SEPARATORS = /[,;\n\r\uff0c\uff1b\u3001]+/;

/** The entries of a list as they were typed, by their plain words; or that an entry has neither letter nor digit, or is too long. */
export type ReadWords =
  | { readonly ok: true; readonly entries: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly fault: "empty" | "long"; readonly entry: string };

/** Reads a list with commas, semicolons or lines between the entries. An entry may have several words. */
export function readWords(list: string): ReadWords {
  const entries = new Map<string, string>();
  for (const typed of list.split(SEPARATORS)) {
    const entry = typed.trim();
    if (entry === "") {
      continue;
    }
    const word = entry.length > LONGEST_WORD ? "" : plainWords(entry);
    if (word === "") {
      const fault = entry.length > LONGEST_WORD ? "long" : "empty";
      return { ok: false, fault, entry: excerpt(entry, SHOWN) };
    }
    entries.set(word, entry);
  }
  return { ok: true, entries };
}
