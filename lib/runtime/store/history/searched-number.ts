import { readNational, withoutTrunkZero } from "../../../shared/recipients/national-number";
import { checkDefaultCountry, readSpelling } from "../../../shared/recipients/phone-number";

/** The zero of national calls that many write after the country code. */
const TRUNK_ZERO = /[([]\s*0\s*[)\]]/g;

const asStored = (digits: string): string => withoutTrunkZero(digits) ?? digits;

/** Converts any usual spelling to stored digits; null for a text without a number. */
export function searchedNumber(text: string, defaultCountry: string): string | null {
  const spelling = readSpelling(text.replace(TRUNK_ZERO, ""));
  if (spelling.form === "international") {
    return asStored(spelling.digits);
  }
  if (spelling.form !== "open") {
    return null;
  }
  const country = checkDefaultCountry(defaultCountry);
  const national =
    spelling.digits.startsWith("0") && country.ok && country.country !== null
      ? readNational(spelling.digits, country.country as Parameters<typeof readNational>[1])
      : null;
  return national ?? asStored(spelling.digits);
}
