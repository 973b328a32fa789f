const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
const DIGIT = /\p{Nd}/u;

/** Unicode has the ten digits of a script in a row, and between scripts whole tens. */
function toValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let start = code;
  while (DIGIT.test(String.fromCodePoint(start - 1))) {
    start--;
  }
  return (code - start) % 10;
}

/** A text with the digits of all scripts as 0 to 9, as people type them on their phones. */
export const toLatinDigits = (text: string): string =>
  text.replace(OTHER_DIGIT, (digit) => String(toValue(digit)));
