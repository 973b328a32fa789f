/**
 * Country and type of a number, from its numbering plan. Large, so the import rules keep it out of the dialogs, and the runtime
 * loads it only for an account that asks for it.
 */
import { Metadata } from "libphonenumber-js/core";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import metadata from "libphonenumber-js/metadata.max.json";
import { NumberingPlan, type NumberType, type PlanSource } from "./numbering-plan";

/** What is known of a number. */
export interface NumberFacts {
  /** ISO 3166; null where it cannot be told. Of several countries with the same numbers the first. */
  readonly country: string | null;
  /** Null where it cannot be told. */
  readonly type: NumberType | null;
}

/** Members of the library's class that its types leave out. */
interface PlansSource {
  hasCallingCode(code: string): boolean | undefined;
  getCountryCodesForCallingCode(code: string): readonly string[] | undefined;
  selectNumberingPlan(codeOrCountry: string): { readonly numberingPlan: PlanSource };
}

/** The plans that share a calling code, the main one first. */
interface CallingCode {
  readonly length: number;
  readonly plans: readonly NumberingPlan[];
}

const LONGEST_CODE = 3;
const UNKNOWN: NumberFacts = { country: null, type: null };

const source = new Metadata(metadata as never) as unknown as PlansSource;
/** By calling code; null where nobody has it. One for each of the thousand codes at most, compiled when it is needed. */
const codes = new Map<string, CallingCode | null>();

function codeOf(code: string): CallingCode | null {
  let found = codes.get(code);
  if (found === undefined) {
    found = source.hasCallingCode(code) ? compile(code) : null;
    codes.set(code, found);
  }
  return found;
}

function compile(code: string): CallingCode {
  const countries = source.getCountryCodesForCallingCode(code);
  const plan = (country: string | null): NumberingPlan =>
    new NumberingPlan(country, source.selectNumberingPlan(country ?? code).numberingPlan);
  return { length: code.length, plans: countries === undefined ? [plan(null)] : countries.map(plan) };
}

/** No calling code is the beginning of another one. */
function findCode(digits: string): CallingCode | null {
  for (let length = 1; length <= LONGEST_CODE; length++) {
    const found = codeOf(digits.slice(0, length));
    if (found !== null) {
      return found;
    }
  }
  return null;
}

/** The plan that a number belongs to; a code of one country is that country's whatever follows. */
function findPlan({ plans }: CallingCode, national: string): NumberingPlan | null {
  return plans.length === 1
    ? (plans[0] as NumberingPlan)
    : (plans.find((each) => each.leads(national)) ?? null);
}

/**
 * The digits behind the calling code that country and type are told from. Some people leave the zero of national calls in;
 * the library knows where.
 */
function nationalOf(code: CallingCode, digits: string): string {
  const national = digits.slice(code.length);
  const [main] = code.plans;
  if (main?.hasTrunkPrefix(national) && (findPlan(code, national)?.typeOf(national) ?? null) === null) {
    const read = parsePhoneNumberFromString(`+${digits}`, { extract: false });
    return read?.nationalNumber ?? national;
  }
  return national;
}

/** @param digits of an international number, without plus */
export function numberFacts(digits: string): NumberFacts {
  const code = findCode(digits);
  if (code === null) {
    return UNKNOWN;
  }
  const national = nationalOf(code, digits);
  const plan = findPlan(code, national);
  return plan === null ? UNKNOWN : { country: plan.country, type: plan.typeOf(national) };
}

/**
 * Whether a number can be one of the countries. Some share all their mobile numbers with a neighbour, as Saint Martin with
 * Guadeloupe: such a number is of each of them.
 */
export function canBeOf(digits: string, countries: ReadonlySet<string>): boolean {
  const code = findCode(digits);
  if (code === null) {
    return false;
  }
  const { plans } = code;
  if (plans.length === 1) {
    const { country } = plans[0] as NumberingPlan;
    return country !== null && countries.has(country);
  }
  const national = nationalOf(code, digits);
  return plans.some(
    (plan) =>
      plan.country !== null &&
      countries.has(plan.country) &&
      (plan.leads(national) || plan.typeOf(national) !== null),
  );
}
