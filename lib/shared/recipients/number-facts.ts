/**
 * Country and type of a number, from its numbering plan. Large, so the import rules keep it out of the dialogs, and the runtime
 * loads it only for an account that asks for it.
 */
import {
  type NumberType as LibraryType,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from "libphonenumber-js/max";

export type NumberType = NonNullable<LibraryType>;

/** What is known of a number. */
export interface NumberFacts {
  /** ISO 3166; null if it is unknown. Of several countries with the same numbers the first. */
  readonly country: string | null;
  /** Null if it is unknown. */
  readonly type: NumberType | null;
}

/** The library takes about 15 µs for a number, and several checks read the same one. */
const MAX_CACHED = 10_000;
const cache = new Map<string, NumberFacts>();

const parse = (digits: string): PhoneNumber | undefined =>
  parsePhoneNumberFromString(`+${digits}`, { extract: false });

/** @param digits of an international number, without plus */
export function numberFacts(digits: string): NumberFacts {
  let facts = cache.get(digits);
  if (facts === undefined) {
    const number = parse(digits);
    facts = { country: number?.country ?? null, type: number?.getType() ?? null };
    if (cache.size >= MAX_CACHED) {
      cache.clear();
    }
    cache.set(digits, facts);
  }
  return facts;
}

/**
 * Whether a number can be one of the countries. Some share all their mobile numbers with a neighbour, as Saint Martin with
 * Guadeloupe: such a number is of each of them.
 */
export function canBeOf(digits: string, countries: ReadonlySet<string>): boolean {
  if (countries.has(numberFacts(digits).country ?? "")) {
    return true;
  }
  const number = parse(digits);
  if (number === undefined) {
    return false;
  }
  delete number.country;
  return number.getPossibleCountries().some((country) => {
    number.country = country;
    return countries.has(country) && number.isValid();
  });
}
