/** Accents after the decomposition, emoji selectors, and characters without width. */
const MARKS = /[\p{M}\p{Cf}]+/gu;
const BETWEEN = /[^\p{L}\p{N}]+/gu;

/** Makes `« Arrêt ! »` and `ARRET` equal. Words have one space between them. */
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
