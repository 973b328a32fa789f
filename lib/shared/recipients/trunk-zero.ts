/** Calling codes of two digits. 1 and 7 have one digit, all others three. */
const TWO_DIGITS: ReadonlySet<number> = new Set(
  (
    "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 " +
    "60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98"
  )
    .split(" ")
    .map(Number),
);

/** Calling codes without a zero of national calls whose numbers may begin with 0. */
const WITH_ZEROS: ReadonlySet<string> = new Set(["39", "225", "226", "229", "241", "242", "378", "992"]);

const ZERO = 0x30;
const ONE = 0x31;
const SEVEN = 0x37;

/**
 * Digits of the calling code of an international number behind which a zero stands that may be dialled within the country only,
 * as in `+41 079…`. Pure and fast: a list may have a million numbers. A test compares it with the numbering plans.
 * @param text with the digits of a number from `start` on
 * @returns 0 where there is none, nearly always
 */
export function trunkZeroAfter(text: string, start = 0): 0 | 1 | 2 | 3 {
  const first = text.charCodeAt(start);
  const length =
    first === ONE || first === SEVEN
      ? 1
      : TWO_DIGITS.has((first - ZERO) * 10 + text.charCodeAt(start + 1) - ZERO)
        ? 2
        : 3;
  return text.charCodeAt(start + length) === ZERO && !WITH_ZEROS.has(text.slice(start, start + length))
    ? length
    : 0;
}
