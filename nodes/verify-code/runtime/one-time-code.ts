import { randomInt } from "node:crypto";
import { toLatinDigits } from "../../../lib/shared/decimal-digits";
import type { CodeCharacters } from "../shared/code-fields";

/**
 * What codes are made of. Letters are those that look like no other letter or digit in any font, and no vowels, so that no code is a word;
 * 19 of them.
 */
export const ALPHABETS: Readonly<Record<CodeCharacters, string>> = {
  digits: "0123456789",
  letters: "BCDFGHJKMNPQRSTVWXZ",
};

/** Characters of a typed code that are read: far more than a code has. */
const LONGEST_TYPED = 100;

/** A random code of which each character is as likely as any other. */
export function newCode(length: number, characters: CodeCharacters): string {
  const alphabet = ALPHABETS[characters];
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** A typed code without what people and phones add: blanks and dashes, small letters, and digits of other scripts and widths. */
export const plainCode = (typed: string): string =>
  toLatinDigits(typed.slice(0, LONGEST_TYPED))
    .normalize("NFKC")
    .replace(/[\s\p{Pd}\p{Cf}]/gu, "")
    .toUpperCase();

const PLACE = /\{\{\s*(code|minutes)\s*\}\}/g;

/** The text of a message with a code. @param validFor ms; `{{minutes}}` are whole ones, rounded down */
export function fillTemplate(template: string, code: string, validFor: number): string {
  return template.replace(PLACE, (_place, name) =>
    name === "code" ? code : String(Math.floor(validFor / 60_000)),
  );
}
