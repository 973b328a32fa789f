import { plainWords } from "../words/plain-words";
import { LONGEST_TEXT, readWords } from "../words/read-words";

/**
 * What is wrong with the lists: there is no stop word, an entry has neither letter nor digit, is too long, or is both a stop word and a
 * start word.
 */
export type WordsFault =
  | { readonly list: "stopWords"; readonly fault: "none" }
  | { readonly list: "stopWords" | "startWords"; readonly fault: "empty" | "long"; readonly entry: string }
  | { readonly list: "startWords"; readonly fault: "both"; readonly entry: string };

export type ReadOptOutWords =
  | { readonly ok: true; readonly words: OptOutWords }
  | ({ readonly ok: false } & WordsFault);

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
  static read(stopWords: string, startWords: string): ReadOptOutWords {
    const [stop, start] = [readWords(stopWords), readWords(startWords)];
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
