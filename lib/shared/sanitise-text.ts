/** Breaks a line, changes its direction, or is an unpaired surrogate. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const MAX_NAME = 80;

/** Each character is one UTF-16 unit. */
const escaped = (character: string): string =>
  SHORT_ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Makes one line with escapes. Mask secrets first, because a cut secret is not found. */
export function sanitiseText(text: string, max = Number.POSITIVE_INFINITY): string {
  const isLong = text.length > max;
  // One more unit keeps a pair at the cut.
  const kept = isLong ? text.slice(0, max + 1) : text;
  if (!isLong && !UNSEEN.test(kept)) {
    return text;
  }
  let result = "";
  for (const character of kept) {
    const shown = UNSEEN.test(character) ? escaped(character) : character;
    if (result.length + shown.length > max) {
      return `${result}…`;
    }
    result += shown;
  }
  return result;
}

export const sanitiseName = (name: string): string => sanitiseText(name, MAX_NAME);
