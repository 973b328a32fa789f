import { SetupError } from "../../shared/messaging-error";
import { readAllowedCountries } from "../../shared/recipients/allowed-countries";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { readText } from "../node-red/read-settings";

/** What an account says about the numbers that it sends to. Accounts of before there were guards lack all of it: nothing is checked. */
export interface WhereToConfig {
  /** `all`, or codes of ISO 3166 with commas between. */
  readonly allowedCountries?: string;
  readonly mobileOnly?: boolean;
  readonly noPremiumNumbers?: boolean;
}

/** Which numbers an account sends to. */
export interface WhereToSettings {
  /** ISO 3166; null for all. A number whose country cannot be told is of none of them. */
  readonly countries: ReadonlySet<string> | null;
  /** Whether an SMS goes to mobile numbers only, and to those whose type cannot be told. */
  readonly mobileOnly: boolean;
  /** Whether premium and shared-cost numbers are refused. */
  readonly noPremiumNumbers: boolean;
}

function readCountries(value: string | undefined): ReadonlySet<string> | null {
  if (value === undefined) {
    return null;
  }
  const read = readAllowedCountries(readText(say("account.label.allowedCountries"), value));
  if (read.ok) {
    return read.countries;
  }
  throw new SetupError(
    "BAD_SETTING",
    read.fault === "none"
      ? say("account.countries.none")
      : say("account.countries.unknown", { code: quoteValue(read.code) }),
  );
}

/**
 * Reads where an account sends to.
 * @returns null where it sends to every number
 * @throws SetupError BAD_SETTING, UNRESOLVED_VARIABLE
 */
export function readWhereToSettings(config: WhereToConfig): WhereToSettings | null {
  const countries = readCountries(config.allowedCountries);
  const mobileOnly = config.mobileOnly === true;
  const noPremiumNumbers = config.noPremiumNumbers === true;
  return countries === null && !mobileOnly && !noPremiumNumbers
    ? null
    : { countries, mobileOnly, noPremiumNumbers };
}
