import { ALL_COUNTRIES, readAllowedCountries } from "../../shared/recipients/allowed-countries";
import type { Dialog } from "../dialog/dialog";
import { sharedTexts, type Texts } from "../dialog/texts";
import { countryName } from "../inputs/country-input";
import { prepareCountryList } from "../inputs/country-list";

const NAMED = 3;

export function allowedCountriesFault(texts: Texts, value: string): string | null {
  const read = readAllowedCountries(value);
  return read.ok ? null : read.fault === "none" ? texts("fault.no-country") : sharedTexts("fault.country");
}

function countriesText(texts: Texts, value: string, codes: readonly string[]): string {
  if (value === ALL_COUNTRIES) {
    return texts("summary.all");
  }
  return codes.length === 0
    ? texts("summary.none")
    : codes.length > NAMED
      ? texts("summary.many", { n: codes.length })
      : codes.map(countryName).join(", ");
}

/** @param more summary of the other rows of the section */
export function prepareProtection(
  { form, input, watch }: Dialog,
  texts: Texts,
  more: readonly (() => readonly string[])[],
): void {
  const countries = input("allowedCountries");
  const row = form.find(".messaging-countries");
  const choice = form.find("#messaging-account-countries");
  const saved = String(countries.val() ?? "");
  const list = prepareCountryList(row, saved === ALL_COUNTRIES ? "" : saved, texts, () => write());
  const write = (): void => {
    const value = choice.val() === "all" ? ALL_COUNTRIES : list.codes.join(",");
    countries.val(value).trigger("change");
  };
  choice.val(saved === ALL_COUNTRIES ? "all" : "listed");
  choice.on("change", write);

  const summary = row.closest("details").find(".messaging-summary");
  watch(() => {
    const value = String(countries.val() ?? "");
    row.toggle(value !== ALL_COUNTRIES);
    const types = [
      ...(input("mobileOnly").prop("checked") ? [texts("summary.mobileOnly")] : []),
      ...(input("noPremiumNumbers").prop("checked") ? [texts("summary.noPremium")] : []),
    ];
    const numbers = types.length === 0 ? [texts("summary.anyNumber")] : types;
    const others = more.flatMap((each) => each());
    summary.text([countriesText(texts, value, list.codes), ...numbers, ...others].join(" · "));
  });
}
