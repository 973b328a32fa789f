import { excerpt } from "../excerpt";
import { plainWords } from "./plain-words";

/** Characters of a word or of several words that count as one. */
const LONGEST_WORD = 100;
/** Characters of a message that can be such a word with its punctuation. Longer ones are not looked at. */
const LONGEST_TEXT = 1_000;
/** Characters of a wrong entry that an error shows. */
const SHOWN = 40;

/** What is between two entries of a list that somebody types. */
const SEPARATORS = /[,;\n\r\uff0c\uff1b\u3001]+/;

/**
 * What is wrong with the lists: there is no stop word, an entry has neither letter nor digit, is too long, or is both a stop word and a
 * start word.
 */
export type WordsFault =
  | { readonly list: "stopWords"; readonly fault: "none" }
  | { readonly list: "stopWords" | "startWords"; readonly fault: "empty" | "long"; readonly entry: string }
  | { readonly list: "startWords"; readonly fault: "both"; readonly entry: string };

export type ReadWords =
  | { readonly ok: true; readonly words: OptOutWords }
  | ({ readonly ok: false } & WordsFault);

type ReadList =
  | { readonly ok: true; readonly entries: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly fault: "empty" | "long"; readonly entry: string };

/** The entries of a list by their plain words. */
function readList(list: string): ReadList {
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

/** Stop words and start words, and whether a message is one of them. */
export class OptOutWords {
  private constructor(
    private readonly stop: ReadonlySet<string>,
    private readonly start: ReadonlySet<string>,
  ) {}

  /**
   * Reads two lists as people type them, with commas, semicolons or lines between the entries. An entry may have several words.
   * Without a start word nobody opts in again by a message.
   */
  static read(stopWords: string, startWords: string): ReadWords {
    const [stop, start] = [readList(stopWords), readList(startWords)];
    if (!stop.ok) {
      return { ...stop, list: "stopWords" };
    }
    if (!start.ok) {
      return { ...start, list: "startWords" };
    }
    if (stop.entries.size === 0) {
      return { ok: false, list: "stopWords", fault: "none" };
    }
    for (const [word, entry] of start.entries) {
      if (stop.entries.has(word)) {
        return { ok: false, list: "startWords", fault: "both", entry };
      }
    }
    const words = new OptOutWords(new Set(stop.entries.keys()), new Set(start.entries.keys()));
    return { ok: true, words };
  }

  /**
   * Whether a message is a stop word or a start word. It counts as a whole: `STOP 12345` is neither.
   * @returns null for any other message
   */
  recognise(text: string): "stop" | "start" | null {
    if (text.length > LONGEST_TEXT) {
      return null;
    }
    const words = plainWords(text);
    return this.stop.has(words) ? "stop" : this.start.has(words) ? "start" : null;
  }
}
