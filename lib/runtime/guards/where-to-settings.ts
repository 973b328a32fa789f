import { SetupError } from "../../shared/messaging-error";
import { readAllowedCountries } from "../../shared/recipients/allowed-countries";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { readText } from "../node-red/read-settings";

/** What an account says about the numbers that it sends to. */
export interface WhereToConfig {
  readonly service: string;
  /** `all`, or codes of ISO 3166 with commas between. */
  readonly allowedCountries: string;
  readonly mobileOnly: boolean;
  readonly noPremiumNumbers: boolean;
}

export interface WhereToSettings {
  /** ISO 3166; null for all. A number whose country cannot be told is of none of them. */
  readonly countries: ReadonlySet<string> | null;
  /** Whether the built-in simulator is the service: its numbers, of a code that no country has, pass with every list. */
  readonly simulated: boolean;
  /** Whether an SMS goes to mobile numbers only, and to those whose type cannot be told. */
  readonly mobileOnly: boolean;
  /** Whether premium and shared-cost numbers are refused. */
  readonly noPremiumNumbers: boolean;
}

function readCountries(value: string): ReadonlySet<string> | null {
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

/** Only `false` switches a check off: a word in a file that was written by hand does not. */
const isOn = (setting: boolean): boolean => setting !== false;

/**
 * Reads where an account sends to.
 * @returns null where it sends to every number
 * @throws SetupError BAD_SETTING, UNRESOLVED_VARIABLE
 */
export function readWhereToSettings(config: WhereToConfig): WhereToSettings | null {
  const countries = readCountries(config.allowedCountries);
  const mobileOnly = isOn(config.mobileOnly);
  const noPremiumNumbers = isOn(config.noPremiumNumbers);
  return countries === null && !mobileOnly && !noPremiumNumbers
    ? null
    : { countries, mobileOnly, noPremiumNumbers, simulated: config.service !== "service" };
}
