/** Separators of the parser, and the tabs between cells of a spreadsheet. */
const BETWEEN = /[\t\n\v\f\r,;\u0085\u2028\u2029]+/;

function splitNumbers(text: string): string[] {
  return text
    .split(BETWEEN)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}

export const toColumn = (text: string): string => splitNumbers(text).join("\n");

/** One line: an input removes line breaks, so that two numbers would become one. */
export const toLine = (text: string): string => splitNumbers(text).join(", ");

/** True if a one-line input would remove separators. */
export const isColumn = (text: string): boolean => /[\t\n\v\f\r\u0085\u2028\u2029]/.test(text.trim());
