/** Accents after the decomposition, emoji selectors, and characters without width. */
const MARKS = /[\p{M}\p{Cf}]+/gu;
/** Punctuation, white space and emoji. */
const BETWEEN = /[^\p{L}\p{N}]+/gu;

/**
 * The words of a text without what people write in different ways: case, accents, punctuation, white space, emoji, and
 * letters of unusual width or shape. `« Arrêt ! »` and `ARRET` are equal then. Words have one space between them.
 */
export const plainWords = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(MARKS, "")
    // Only lower case makes ß of the capital ẞ, and only upper case makes SS of that.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(BETWEEN, " ")
    .trim();
