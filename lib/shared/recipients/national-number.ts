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

/** Calling codes without a zero of national calls whose numbers may begin with 0. */
const WITH_ZEROS: ReadonlySet<string> = new Set(["39", "225", "226", "229", "241", "242", "378", "992"]);

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

/**
 * The calling code of an international number that continues with a zero, which is dialled within the country only, as in `+41 079…`.
 * @returns null for other numbers, and for codes that no country has, such as those of the simulator
 */
export function codeBeforeZero(digits: string): string | null {
  const code = [1, 2, 3].map((length) => digits.slice(0, length)).find((start) => CALLING_CODES.has(start));
  return code !== undefined && digits[code.length] === "0" && !WITH_ZEROS.has(code) ? code : null;
}

/**
 * Removes the zero of national calls behind the country code: `+41 079…` and `+41 79…` are the same recipient. A number that is valid
 * with its zero keeps it.
 * @param digits of an international number
 * @returns null if neither reading is a valid number
 */
export function withoutTrunkZero(digits: string): string | null {
  const code = codeBeforeZero(digits);
  if (code === null) {
    return digits;
  }
  const parsed = parsePhoneNumberFromString(`+${digits}`, { extract: false });
  if (parsed?.isValid()) {
    return parsed.number.slice(1);
  }
  // Countries without such a zero: the library leaves in it what people take over from their neighbours.
  const without = code + digits.slice(code.length + 1);
  return isValidInternational(without) ? without : null;
}
