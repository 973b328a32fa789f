import { localVerdict, type Verdict } from "../../gateway/codec/verdict";
import type { LocalFault } from "../../gateway/contract/local-outcomes";
import { numberFacts } from "../../shared/recipients/number-facts";
import { currentLanguage, say } from "../../texts/say";
import { maskNumber } from "../activity/mask-number";

/** Why a number is not sent to: one reason for each setting. */
export type WhereToReason = "country" | "premium" | "not-mobile";

/** Numbers that a verdict names. */
const NAMED = 5;

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

/** The verdict on numbers that are held back: names the first ones, masked, and the setting that could be changed. */
export function heldVerdict(reason: WhereToReason, recipients: readonly string[]): Verdict {
  const named = recipients.slice(0, NAMED).map((recipient) => describe(reason, recipient));
  const more = recipients.length - named.length;
  const listed = named.join("; ");
  const list =
    more === 0
      ? listed
      : say(`recipients.more.${more === 1 ? "one" : "many"}`, { list: listed, count: more });
  return localVerdict(FAULTS[reason], say(`recipients.held.${reason}`, { list }));
}
