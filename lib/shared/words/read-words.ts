import { excerpt } from "../excerpt";
import { plainWords } from "./plain-words";

const MAX_WORD = 100;
const SHOWN = 40;

export const MAX_TEXT = 1_000;

const SEPARATORS = /[,;\n\r\uff0c\uff1b\u3001]+/;

export type ReadWords =
  | { readonly ok: true; readonly entries: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly fault: "empty" | "long"; readonly entry: string };

export function readWords(list: string): ReadWords {
  const entries = new Map<string, string>();
  for (const typed of list.split(SEPARATORS)) {
    const entry = typed.trim();
    if (entry === "") {
      continue;
    }
    const word = entry.length > MAX_WORD ? "" : plainWords(entry);
    if (word === "") {
      const fault = entry.length > MAX_WORD ? "long" : "empty";
      return { ok: false, fault, entry: excerpt(entry, SHOWN) };
    }
    entries.set(word, entry);
  }
  return { ok: true, entries };
}
