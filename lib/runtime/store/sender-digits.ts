import { INTERNATIONAL_DIGITS, readSpelling } from "../../shared/recipients/phone-number";

/**
 * The digits of a phone number in an event, as recipients and opt-outs are kept: `+41 79 000 00 01` of a messenger and
 * `41790000001` of an SMS are the same person.
 * @returns null for anything else, such as the user id of a messenger
 */
export function senderDigits(value: unknown): string | null {
  const spelling = typeof value === "string" ? readSpelling(value) : null;
  return spelling !== null && "digits" in spelling && INTERNATIONAL_DIGITS.test(spelling.digits)
    ? spelling.digits
    : null;
}
