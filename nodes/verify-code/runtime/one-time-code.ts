import { randomInt } from "node:crypto";
import { toLatinDigits } from "../../../lib/shared/decimal-digits";
import type { CodeCharacters } from "../shared/code-fields";

/**
 * Letters are unlike other letters and digits in any font. Without vowels no code is a word.
 */
export const ALPHABETS: Readonly<Record<CodeCharacters, string>> = {
  digits: "0123456789",
  letters: "BCDFGHJKMNPQRSTVWXZ",
};

const LONGEST_TYPED = 100;

export function newCode(length: number, characters: CodeCharacters): string {
  const alphabet = ALPHABETS[characters];
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** Removes what users and phones add to a code: blanks, dashes, small letters, and digits of other scripts and widths. */
export const plainCode = (typed: string): string =>
  toLatinDigits(typed.slice(0, LONGEST_TYPED))
    .normalize("NFKC")
    .replace(/[\s\p{Pd}\p{Cf}]/gu, "")
    .toUpperCase();

const PLACE = /\{\{\s*(code|minutes)\s*\}\}/g;

/** @param validFor ms; `{{minutes}}` are rounded down */
export function fillTemplate(template: string, code: string, validFor: number): string {
  return template.replace(PLACE, (_place, name) =>
    name === "code" ? code : String(Math.floor(validFor / 60_000)),
  );
}
