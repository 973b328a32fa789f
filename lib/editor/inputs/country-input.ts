import { COUNTRIES, checkDefaultCountry } from "../../shared/recipients/phone-number";
import { sharedTexts } from "../dialog/texts";

interface Country {
  readonly code: string;
  readonly name: string;
}

const MOST_SHOWN = 60;

let countries: readonly Country[] | null = null;
const nameOf = (): Intl.DisplayNames =>
  new Intl.DisplayNames([RED.i18n.lang() ?? "en", "en"], { type: "region" });

function allCountries(): readonly Country[] {
  const names = nameOf();
  countries ??= [...COUNTRIES]
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name));
  return countries;
}

function search(typed: string): { value: string; label: string }[] {
  const text = typed.trim().toLocaleLowerCase();
  const exact = (country: Country): number => (country.code.toLowerCase() === text ? 0 : 1);
  return allCountries()
    .filter(({ code, name }) => name.toLocaleLowerCase().includes(text) || code.toLowerCase() === text)
    .sort((a, b) => exact(a) - exact(b))
    .slice(0, MOST_SHOWN)
    .map(({ code, name }) => ({ value: code, label: `${name} (${code})` }));
}

/** The country code of a text, which is a code or a name. */
function codeOf(typed: string): string {
  const text = typed.trim();
  const byName = allCountries().find(({ name }) => name.toLocaleLowerCase() === text.toLocaleLowerCase());
  return byName?.code ?? text.toUpperCase();
}

/** Makes a text input an input for a country: accepts name or code, stores the code, shows the name beside it. */
export function prepareCountryInput(input: JQuery): void {
  const name = $("<span>", { class: "messaging-unit" }).insertAfter(input);
  input.autoComplete({ search, minLength: 1 });
  input.on("change", () => {
    const typed = String(input.val() ?? "");
    // A variable such as ${COUNTRY} is left as it is.
    const code = typed.includes("$") ? typed : codeOf(typed);
    if (code !== typed) {
      input.val(code).trigger("change");
      return;
    }
    name.text(COUNTRIES.has(code) ? (nameOf().of(code) ?? "") : "");
  });
}

/** Why a default country cannot be used, or null. */
export function findCountryFault(typed: string): string | null {
  const verdict = checkDefaultCountry(typed);
  return verdict.ok ? null : sharedTexts("fault.country");
}
