import { localVerdict, type Verdict } from "../../gateway/codec/verdict";
import type { LocalFault } from "../../gateway/contract/local-outcomes";
import { numberFacts } from "../../shared/recipients/number-facts";
import { currentLanguage, say } from "../../texts/say";
import { maskNumber } from "../../shared/recipients/mask-number";
import { nameNumbers } from "./name-numbers";

export type WhereToReason = "country" | "premium" | "not-mobile";

const FAULTS: Readonly<Record<WhereToReason, LocalFault>> = {
  country: "COUNTRY_NOT_ALLOWED",
  premium: "NUMBER_TYPE_NOT_ALLOWED",
  "not-mobile": "NUMBER_TYPE_NOT_ALLOWED",
};

function countryName(country: string | null): string {
  if (country === null) {
    return say("recipients.held.unknown-country");
  }
  return new Intl.DisplayNames([currentLanguage(), "en"], { type: "region" }).of(country) ?? country;
}

function describe(reason: WhereToReason, recipient: string): string {
  const { country, type } = numberFacts(recipient);
  const what = reason === "country" || type === null ? countryName(country) : say(`recipients.type.${type}`);
  return `${maskNumber(recipient)}: ${what}`;
}

/** Makes the result of blocked numbers, with the first ones masked and the setting to change. */
export function blockVerdict(reason: WhereToReason, recipients: readonly string[]): Verdict {
  const list = nameNumbers(recipients, (recipient) => describe(reason, recipient));
  return localVerdict(FAULTS[reason], say(`recipients.held.${reason}`, { list }));
}
