/** Converts recipients between a pasted column or row and the single line of an input. */

/** Separators of numbers: those of the parser, and the tabs between cells of a spreadsheet. */
const BETWEEN = /[\t\n\v\f\r,;\u0085\u2028\u2029]+/;

/** The numbers of a text, trimmed, without empty ones. */
function piecesOf(text: string): string[] {
  return text
    .split(BETWEEN)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}

export const toColumn = (text: string): string => piecesOf(text).join("\n");

/** All in one line: an input removes line breaks, so that two numbers would become one. */
export const toLine = (text: string): string => piecesOf(text).join(", ");

/** Whether a one-line input would remove separators of a text. */
export const isColumn = (text: string): boolean => /[\t\n\v\f\r\u0085\u2028\u2029]/.test(text.trim());
