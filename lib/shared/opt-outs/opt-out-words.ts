import { plainWords } from "../words/plain-words";
import { MAX_TEXT, readWords } from "../words/read-words";

export type WordsFault =
  | { readonly list: "stopWords"; readonly fault: "none" }
  | { readonly list: "stopWords" | "startWords"; readonly fault: "empty" | "long"; readonly entry: string }
  | { readonly list: "startWords"; readonly fault: "both"; readonly entry: string };

export type ReadOptOutWords =
  | { readonly ok: true; readonly words: OptOutWords }
  | ({ readonly ok: false } & WordsFault);

export class OptOutWords {
  private constructor(
    private readonly stop: ReadonlySet<string>,
    private readonly start: ReadonlySet<string>,
  ) {}

  /** Entries are separated by commas, semicolons or lines. Start words are optional. */
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

  /** Compares the whole message, so that `STOP 12345` is no stop word. */
  recognise(text: string): "stop" | "start" | null {
    if (text.length > MAX_TEXT) {
      return null;
    }
    const words = plainWords(text);
    return this.stop.has(words) ? "stop" : this.start.has(words) ? "start" : null;
  }
}
