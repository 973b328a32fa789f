import { COUNTRIES, checkDefaultCountry } from "../../shared/recipients/phone-number";
import { sharedTexts } from "../dialog/texts";

interface Country {
  readonly code: string;
  readonly name: string;
}

const MOST_SHOWN = 60;

let countries: readonly Country[] | null = null;
const names = (): Intl.DisplayNames =>
  new Intl.DisplayNames([RED.i18n.lang() ?? "en", "en"], { type: "region" });

/** Returns the code itself if it has no name. */
export const countryName = (code: string): string =>
  COUNTRIES.has(code) ? (names().of(code) ?? code) : code;

function allCountries(): readonly Country[] {
  countries ??= [...COUNTRIES]
    .map((code) => ({ code, name: countryName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name));
  return countries;
}

export function searchCountries(typed: string): { value: string; label: string }[] {
  const text = typed.trim().toLocaleLowerCase();
  const exact = (country: Country): number => (country.code.toLowerCase() === text ? 0 : 1);
  return allCountries()
    .filter(({ code, name }) => name.toLocaleLowerCase().includes(text) || code.toLowerCase() === text)
    .sort((a, b) => exact(a) - exact(b))
    .slice(0, MOST_SHOWN)
    .map(({ code, name }) => ({ value: code, label: `${name} (${code})` }));
}

/** Converts a code or a name; returns other text in capitals. */
export function countryCode(typed: string): string {
  const text = typed.trim();
  const byName = allCountries().find(({ name }) => name.toLocaleLowerCase() === text.toLocaleLowerCase());
  return byName?.code ?? text.toUpperCase();
}

/** Accepts name or code, stores the code, shows the name beside it. */
export function prepareCountryInput(input: JQuery): void {
  const name = $("<span>", { class: "messaging-unit" }).insertAfter(input);
  input.autoComplete({ search: searchCountries, minLength: 1 });
  input.on("change", () => {
    const typed = String(input.val() ?? "");
    // A variable such as ${COUNTRY} stays unchanged.
    const code = typed.includes("$") ? typed : countryCode(typed);
    if (code !== typed) {
      input.val(code).trigger("change");
      return;
    }
    name.text(COUNTRIES.has(code) ? countryName(code) : "");
  });
}

export function findCountryFault(typed: string): string | null {
  const verdict = checkDefaultCountry(typed);
  return verdict.ok ? null : sharedTexts("fault.country");
}
