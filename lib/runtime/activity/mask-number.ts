const SEPARATORS = /[\s\-./()]/g;
/** Most numbers, which need no cleaning; none that could begin with 00. */
const DIGITS = /^[1-9]\d{0,19}$/;
const NUMBER = /^(\+|00)?\d+$/;
const USER_ID = /^[\w.:@-]{3,80}$/;
/** Longer than any number or user id with its separators: what is longer is something else, and not looked at. */
const LONGEST = 100;

/**
 * Makes a phone number or user id recognisable without giving it away, as in `+4179…567`: at most its first four
 * and last three characters, and never all but two. What is neither becomes `…`, for it may be anything. Empty
 * for no text.
 */
export function maskNumber(value: unknown): string {
  if (typeof value !== "string" || value === "") {
    return "";
  }
  if (DIGITS.test(value)) {
    return `+${middleOut(value)}`;
  }
  const text = value.length > LONGEST ? "" : value.replace(SEPARATORS, "");
  if (NUMBER.test(text)) {
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
