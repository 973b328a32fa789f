import type { ReplyMatch } from "../fields/wait-fields";
import { plainWords } from "./plain-words";
import { MAX_TEXT, readWords } from "./read-words";

export interface ReplyWordSettings {
  readonly match: ReplyMatch;
  readonly words: string;
  readonly pattern: string;
}

/** `reason`: the error of the engine in English. */
export type ReplyWordsFault =
  | { readonly setting: "words"; readonly fault: "none" }
  | { readonly setting: "words"; readonly fault: "empty" | "long"; readonly entry: string }
  | { readonly setting: "pattern"; readonly fault: "blank" | "look-around" }
  | { readonly setting: "pattern"; readonly fault: "pattern"; readonly reason: string };

export type ReadReplyWords =
  | { readonly ok: true; readonly words: ReplyWords }
  | ({ readonly ok: false } & ReplyWordsFault);

export interface FoundReply {
  readonly word: string | null;
}

const ANY: FoundReply = { word: null };

/** The engine's text after the pattern, such as `Unterminated group`. */
const getReason = (error: unknown): string => {
  const { message } = error as Error;
  return message.slice(message.lastIndexOf(": ") + 1).trim();
};

/** Skips escapes and classes, in which look-around has no meaning. */
const LOOK_AROUND_TOKENS = /\\(?:k<|.)|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!]/gsu;

const hasLookAround = (pattern: string): boolean =>
  (pattern.match(LOOK_AROUND_TOKENS) ?? []).some((token) => /^(?:\\[1-9]|\\k<|\(\?)/.test(token));

type FindWord = (entries: ReadonlyMap<string, string>, text: string) => string | undefined;

const wholeText: FindWord = (entries, text) =>
  text.length > MAX_TEXT ? undefined : entries.get(plainWords(text));

/** Prefers the longest entry, so that "no thanks" precedes "no". */
const beginning: FindWord = (entries, text) => {
  const said = plainWords(text.slice(0, MAX_TEXT)).split(" ");
  for (let count = said.length; count > 0; count--) {
    const entry = entries.get(said.slice(0, count).join(" "));
    if (entry !== undefined) {
      return entry;
    }
  }
  return undefined;
};

export class ReplyWords {
  /** @param pattern must match the reply, or null for words */
  private constructor(
    readonly find: (text: string) => FoundReply | null,
    readonly pattern: string | null = null,
  ) {}

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
    const match = (text: string): FoundReply | null => {
      const word = find(entries, text);
      return word === undefined ? null : { word };
    };
    return { ok: true, words: new ReplyWords(match) };
  }

  static #ofPattern(pattern: string): ReadReplyWords {
    if (pattern.trim() === "") {
      return { ok: false, setting: "pattern", fault: "blank" };
    }
    try {
      new RegExp(pattern, "iu");
    } catch (error) {
      return { ok: false, setting: "pattern", fault: "pattern", reason: getReason(error) };
    }
    return hasLookAround(pattern)
      ? { ok: false, setting: "pattern", fault: "look-around" }
      : { ok: true, words: new ReplyWords(() => null, pattern) };
  }
}
