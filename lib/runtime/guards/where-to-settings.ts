import { SetupError } from "../../shared/messaging-error";
import { readAllowedCountries } from "../../shared/recipients/allowed-countries";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { readText } from "../node-red/read-settings";

export interface WhereToConfig {
  readonly service: string;
  /** `all`, or codes of ISO 3166 with commas between. */
  readonly allowedCountries: string;
  readonly mobileOnly: boolean;
  readonly noPremiumNumbers: boolean;
}

export interface WhereToSettings {
  /** ISO 3166; null for all. A number of an unknown country is in none of them. */
  readonly countries: ReadonlySet<string> | null;
  /** True for the simulator, whose own numbers pass with every list. */
  readonly simulated: boolean;
  /** True if an SMS is sent only to mobile numbers and numbers of unknown type. */
  readonly mobileOnly: boolean;
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

/** Only `false` disables a check, no other value of a file that was edited by hand. */
const isOn = (setting: boolean): boolean => setting !== false;

/**
 * @returns null if every number is allowed
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
