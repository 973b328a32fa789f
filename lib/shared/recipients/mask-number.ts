const SEPARATORS = /[\s\-./()]/g;
/** Matches most numbers: digits only, none that could start with 00. They need no clean-up. */
const DIGITS = /^[1-9]\d{0,19}$/;
const NUMBER = /^(\+|00)?\d+$/;
/** A number without its country, as people dial it at home. */
const NATIONAL = /^0[1-9]/;
const USER_ID = /^[\w.:@-]{3,80}$/;
/** Characters. Longer texts are neither a number nor a user id and are not examined. */
const LONGEST = 100;

/**
 * Masks a phone number or user id, as in `+4179…567`, or `0791…567` for a number without its country: at most the first four and last three
 * characters stay, and at least three are hidden. Other texts become `…`. Returns an empty text for other values.
 */
export function maskNumber(value: unknown): string {
  if (typeof value !== "string" || value === "") {
    return "";
  }
  if (DIGITS.test(value)) {
    return `+${middleOut(value)}`;
  }
  const text = value.length > LONGEST ? "" : value.replace(SEPARATORS, "");
  if (NUMBER.test(text) && !NATIONAL.test(text)) {
    return `+${middleOut(text.replace(/^(\+|00)/, ""))}`;
  }
  return USER_ID.test(text) ? middleOut(text) : "…";
}

function middleOut(text: string): string {
  const { length } = text;
  const first = length >= 10 ? 4 : Math.floor(length / 3);
  const last = length >= 10 ? 3 : Math.floor(length / 4);
  return `${text.slice(0, first)}…${last === 0 ? "" : text.slice(-last)}`;
}
