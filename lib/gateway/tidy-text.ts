/** What ends or turns a line around in a terminal, a log or an editor: controls, line separators, direction marks. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** Nearly every text: nothing to look for in the tables of Unicode. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * A text of the service as one line of at most `longest` characters. Secrets have to be masked before: one that is
 * cut in two would not be found any more.
 */
export function tidyText(text: string, longest: number): string {
  const line = PRINTABLE_ASCII.test(text) ? text : text.replace(UNSEEN, " ");
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
