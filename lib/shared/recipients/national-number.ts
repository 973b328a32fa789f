import {
  type CountryCode,
  getCountryCallingCode,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from "libphonenumber-js/max";
import { INTERNATIONAL_DIGITS } from "./phone-number";
import { trunkZeroAfter } from "./trunk-zero";

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
 * The digits of a person's number without the zero of national calls that many leave in behind the country code: `+41 079…` and
 * `+41 79…` are the same person. The numbering plan decides: a number that is valid as it stands keeps its zero, and so does one whose
 * code no country has, such as those of the simulator.
 * @param digits of an international number
 * @returns null where neither reading is a valid number
 */
export function withoutTrunkZero(digits: string): string | null {
  const code = trunkZeroAfter(digits);
  if (code === 0) {
    return digits;
  }
  const parsed = parsePhoneNumberFromString(`+${digits}`, { extract: false });
  if (parsed?.isValid()) {
    return parsed.number.slice(1);
  }
  if (validatePhoneNumberLength(`+${digits}`) === "INVALID_COUNTRY") {
    return digits;
  }
  // Countries without such a zero: the library leaves in it what people take over from their neighbours.
  const without = digits.slice(0, code) + digits.slice(code + 1);
  return isValidInternational(without) ? without : null;
}
