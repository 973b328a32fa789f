import { excerpt } from "./excerpt";

/**
 * What ends or turns a line around in a terminal, a log or an editor, or is no character at all: controls, line
 * separators, marks that turn the direction of text, halves of surrogate pairs.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Nearly every text: nothing to look for in the tables of Unicode. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Characters of a name. */
const LONGEST_NAME = 80;

/** All that is escaped is one UTF-16 unit. */
const escaped = (character: string): string =>
  SHORT_ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * A text of others as it may stand in an error, a log, a badge or a result: one line, what is not to be seen as escapes such as
 * `\n` and `\u001b`, at most `longest` characters and an ellipsis. Secrets have to be masked before: one that is cut in
 * two would not be found any more.
 */
export function sanitiseText(text: string, longest = Number.POSITIVE_INFINITY): string {
  const isLong = text.length > longest;
  // One more, so that a pair at the cut is seen as one character.
  const kept = isLong ? text.slice(0, longest + 1) : text;
  if (PRINTABLE_ASCII.test(kept)) {
    return excerpt(text, longest);
  }
  if (!isLong && !UNSEEN.test(kept)) {
    return text;
  }
  let result = "";
  for (const character of kept) {
    const shown = UNSEEN.test(character) ? escaped(character) : character;
    if (result.length + shown.length > longest) {
      return `${result}…`;
    }
    result += shown;
  }
  return result;
}

/** A key or a name of others that stands in a text without quotes: one line, bounded. */
export const sanitiseName = (name: string): string => sanitiseText(name, LONGEST_NAME);
