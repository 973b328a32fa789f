const SEPARATORS = /[\s\-./()]/g;
const DIGITS = /^[1-9]\d{0,19}$/;
const NUMBER = /^(\+|00)?\d+$/;
const NATIONAL = /^0[1-9]/;
const USER_ID = /^[\w.:@-]{3,80}$/;
const MAX_LENGTH = 100;

/** Keeps at most the first four and last three characters, and hides at least three: `+4179…567`. */
export function maskNumber(value: unknown): string {
  if (typeof value !== "string" || value === "") {
    return "";
  }
  if (DIGITS.test(value)) {
    return `+${middleOut(value)}`;
  }
  const text = value.length > MAX_LENGTH ? "" : value.replace(SEPARATORS, "");
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
