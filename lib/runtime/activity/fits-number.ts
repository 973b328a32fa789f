import { maskNumber } from "../../shared/recipients/mask-number";
import { numberKey } from "./kept-entry";

/** Digits of the shortest end of a number that is looked for. */
const SHORTEST = 3;

/**
 * Compares numbers with one that a person typed.
 * @param readings its digits in international form, in each way in which it can be read
 * @param typed its digits as typed; the last ones of a number are enough
 * @param full false compares nothing but what the masks of both show
 */
export function fitsNumber(
  readings: readonly string[],
  typed: string,
  full: boolean,
): (number: string) => boolean {
  // The zeros of a national number or of 00 are not in an international one; zeros within its last digits are.
  const ends = [typed, typed.replace(/^0+/, "")].filter((end) => end.length >= SHORTEST);
  if (full) {
    return (number) => {
      const digits = numberKey(number);
      return readings.includes(digits) || ends.some((end) => digits.endsWith(end));
    };
  }
  const masks = new Set(readings.map((reading) => maskNumber(`+${reading}`)));
  return (number) => {
    const mask = maskNumber(number);
    const shown = mask.split("…").at(-1) ?? "";
    return masks.has(mask) || (shown !== "" && ends.some((end) => end.endsWith(shown)));
  };
}
