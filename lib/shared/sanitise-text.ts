/**
 * Characters that break a line or change its direction in a terminal, a log or an editor, and unpaired surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Characters of a name. */
const LONGEST_NAME = 80;

/** Each escaped character is one UTF-16 unit. */
const escaped = (character: string): string =>
  SHORT_ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Makes a foreign text safe for an error, a log, a badge or a result: one line, invisible characters as escapes such as
 * `\n` and `\u001b`, at most `longest` characters and an ellipsis. Mask secrets before: a secret that is cut is not
 * found any more.
 */
export function sanitiseText(text: string, longest = Number.POSITIVE_INFINITY): string {
  const isLong = text.length > longest;
  // One more, so that a pair at the cut is seen as one character.
  const kept = isLong ? text.slice(0, longest + 1) : text;
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

/** A foreign key or name for a text without quotes: one line of limited length. */
export const sanitiseName = (name: string): string => sanitiseText(name, LONGEST_NAME);
