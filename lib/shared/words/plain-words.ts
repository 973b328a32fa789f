import { toLatinDigits } from "../decimal-digits";

/** Accents after decomposition, emoji selectors, and characters without width. */
const MARKS = /[\p{M}\p{Cf}]+/gu;
const BETWEEN = /[^\p{L}\p{N}]+/gu;

/** Makes `« Arrêt ! »` and `ARRET` equal, with single spaces. */
export const plainWords = (text: string): string =>
  toLatinDigits(text)
    .normalize("NFKD")
    .replace(MARKS, "")
    // Only lower case maps ẞ to ß, and only upper case maps ß to SS.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(BETWEEN, " ")
    .trim();
