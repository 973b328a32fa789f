import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { INTERNATIONAL_DIGITS } from "./phone-number";

/** The international digits of a number of the country; null if it is not valid there. */
export function readNational(digits: string, country: CountryCode): string | null {
  const parsed = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false });
  // The calling code differs where the digits began with the country's own prefix for calls abroad.
  if (!parsed?.isValid() || parsed.countryCallingCode !== getCountryCallingCode(country)) {
    return null;
  }
  const international = parsed.number.slice(1);
  return INTERNATIONAL_DIGITS.test(international) ? international : null;
}

/** Whether the digits, exactly as they stand, are a valid number with its country code. */
export function isValidInternational(digits: string): boolean {
  if (!INTERNATIONAL_DIGITS.test(digits)) {
    return false;
  }
  const parsed = parsePhoneNumberFromString(`+${digits}`, { extract: false });
  return parsed?.number === `+${digits}` && parsed.isValid();
}
