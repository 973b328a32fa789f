/** Recipients as people paste them, one below the other or beside each other, and as a single line of an input. */

/** Whatever may stand between two numbers: besides what the parser takes, the tabs between a spreadsheet's cells. */
const BETWEEN = /[\t\n\v\f\r,;\u0085\u2028\u2029]+/;

/** What the numbers of a text are, blanks around them dropped and empty places left out. */
function piecesOf(text: string): string[] {
  return text
    .split(BETWEEN)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}

/** One number per line. */
export const toColumn = (text: string): string => piecesOf(text).join("\n");

/** All in one line, as an input can hold it: line breaks would be lost there and two numbers become one. */
export const toLine = (text: string): string => piecesOf(text).join(", ");

/** Whether a text, put into an input of one line, would lose what stands between its numbers. */
export const isColumn = (text: string): boolean => /[\t\n\v\f\r\u0085\u2028\u2029]/.test(text.trim());
