import type { ReplyMatch } from "../fields/wait-fields";
import { plainWords } from "./plain-words";
import { LONGEST_TEXT, readWords } from "./read-words";

/** Which replies count, as the settings of a node have it. */
export interface ReplyWordSettings {
  readonly match: ReplyMatch;
  /** With commas, semicolons or lines between them. */
  readonly words: string;
  /** A regular expression of JavaScript, without slashes and flags. */
  readonly pattern: string;
}

/**
 * What is wrong with the setting that counts: there are no words, an entry has neither letter nor digit or is too long, there is no
 * pattern, it is no regular expression, or it has look-around or a back-reference. `entry` is the wrong entry, `reason` the error of
 * JavaScript, in English.
 */
export type ReplyWordsFault =
  | { readonly setting: "words"; readonly fault: "none" }
  | { readonly setting: "words"; readonly fault: "empty" | "long"; readonly entry: string }
  | { readonly setting: "pattern"; readonly fault: "blank" | "look-around" }
  | { readonly setting: "pattern"; readonly fault: "pattern"; readonly reason: string };

export type ReadReplyWords =
  | { readonly ok: true; readonly words: ReplyWords }
  | ({ readonly ok: false } & ReplyWordsFault);

/** What a text that counts is: `word` is the entry of the list, as it was typed. */
export interface FoundReply {
  readonly word: string | null;
}

const ANY: FoundReply = { word: null };

/** What the engine says after the pattern itself, such as `Unterminated group`. */
const reasonOf = (error: unknown): string => {
  const { message } = error as Error;
  return message.slice(message.lastIndexOf(": ") + 1).trim();
};

/** Escapes and classes, in which the characters of look-around do not count, and the beginning of look-around. */
const LOOK_AROUND_TOKENS = /\\(?:k<|.)|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]/gsu;

const hasLookAround = (pattern: string): boolean =>
  (pattern.match(LOOK_AROUND_TOKENS) ?? []).some((token) => /^(?:\\[1-9]|\\k<|\(\?)/.test(token));

/** Gives the entry that a text is; undefined where it is none. */
type FindWord = (entries: ReadonlyMap<string, string>, text: string) => string | undefined;

const wholeText: FindWord = (entries, text) =>
  text.length > LONGEST_TEXT ? undefined : entries.get(plainWords(text));

/** The longest entry that the text begins with: with "no" and "no thanks" the second one is meant by "No thanks!". */
const beginning: FindWord = (entries, text) => {
  const said = plainWords(text.slice(0, LONGEST_TEXT)).split(" ");
  for (let count = said.length; count > 0; count--) {
    const entry = entries.get(said.slice(0, count).join(" "));
    if (entry !== undefined) {
      return entry;
    }
  }
  return undefined;
};

/** Which of the replies are those that a node waits for. */
export class ReplyWords {
  /** @param pattern the expression that a reply has to contain, without slashes and flags; null where words count, or any reply does */
  private constructor(
    private readonly look: (text: string) => FoundReply | null,
    readonly pattern: string | null = null,
  ) {}

  /** Reads the setting that counts; the other one may be anything. */
  static read({ match, words, pattern }: ReplyWordSettings): ReadReplyWords {
    switch (match) {
      case "any":
        return { ok: true, words: new ReplyWords(() => ANY) };
      case "words":
        return ReplyWords.#ofWords(words, wholeText);
      case "start":
        return ReplyWords.#ofWords(words, beginning);
      case "pattern":
        return ReplyWords.#ofPattern(pattern);
    }
  }

  static #ofWords(list: string, find: FindWord): ReadReplyWords {
    const read = readWords(list);
    if (!read.ok) {
      return { ...read, setting: "words" };
    }
    const { entries } = read;
    if (entries.size === 0) {
      return { ok: false, setting: "words", fault: "none" };
    }
    const look = (text: string): FoundReply | null => {
      const word = find(entries, text);
      return word === undefined ? null : { word };
    };
    return { ok: true, words: new ReplyWords(look) };
  }

  static #ofPattern(pattern: string): ReadReplyWords {
    if (pattern.trim() === "") {
      return { ok: false, setting: "pattern", fault: "blank" };
    }
    try {
      new RegExp(pattern, "iu");
    } catch (error) {
      return { ok: false, setting: "pattern", fault: "pattern", reason: reasonOf(error) };
    }
    return hasLookAround(pattern)
      ? { ok: false, setting: "pattern", fault: "look-around" }
      : { ok: true, words: new ReplyWords(() => null, pattern) };
  }

  /**
   * Whether a text counts. A word has to be the whole text, or its beginning; case, accents, punctuation and emoji do not
   * matter. A beginning sees the first 1,000 characters.
   * @returns null where it does not, and for every text where there is a `pattern`
   */
  find(text: string): FoundReply | null {
    return this.look(text);
  }
}
