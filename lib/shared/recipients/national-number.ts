import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import { INTERNATIONAL_DIGITS } from "./phone-number";

const CALLING_CODES: ReadonlySet<string> = new Set(
  getCountries().map((country) => getCountryCallingCode(country)),
);

const WITH_ZEROS: ReadonlySet<string> = new Set(["39", "225", "226", "229", "241", "242", "378", "992"]);

export function readNational(digits: string, country: CountryCode): string | null {
  const parsed = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false });
  // The digits may begin with the country's own prefix for calls abroad.
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

/** Finds `+41 079…`, whose zero is dialled within the country only. */
export function codeBeforeZero(digits: string): string | null {
  const code = [1, 2, 3].map((length) => digits.slice(0, length)).find((start) => CALLING_CODES.has(start));
  return code !== undefined && digits[code.length] === "0" && !WITH_ZEROS.has(code) ? code : null;
}

/** Removes the national zero, unless the number is valid with it. */
export function withoutTrunkZero(digits: string): string | null {
  const code = codeBeforeZero(digits);
  if (code === null) {
    return digits;
  }
  const parsed = parsePhoneNumberFromString(`+${digits}`, { extract: false });
  if (parsed?.isValid()) {
    return parsed.number.slice(1);
  }
  // For countries without a national zero.
  const without = code + digits.slice(code.length + 1);
  return isValidInternational(without) ? without : null;
}
