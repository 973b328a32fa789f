/** Large, so dialogs do not import it and the runtime loads it on demand. */
import {
  type NumberType as LibraryType,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from "libphonenumber-js/max";

export type NumberType = NonNullable<LibraryType>;

export interface NumberFacts {
  /** ISO 3166, the first of several countries with the same numbers. */
  readonly country: string | null;
  readonly type: NumberType | null;
}

/** A number takes 15 µs, and several checks read it. */
const MAX_CACHED = 10_000;
const cache = new Map<string, NumberFacts>();

const parse = (digits: string): PhoneNumber | undefined =>
  parsePhoneNumberFromString(`+${digits}`, { extract: false });

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

/** Accepts each country that shares the number, such as Saint Martin and Guadeloupe. */
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
