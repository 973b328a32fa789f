import { COUNTRIES } from "./phone-number";

/** The value of the setting that allows every country. */
export const ALL_COUNTRIES = "all";

export type AllowedCountries =
  /** `countries` is null where all are allowed. */
  | { readonly ok: true; readonly countries: ReadonlySet<string> | null }
  /** No country is named, or one that does not exist. */
  | { readonly ok: false; readonly fault: "none" }
  | { readonly ok: false; readonly fault: "unknown"; readonly code: string };

/** The codes of a list, as they are written, without repetitions. */
export const splitCountries = (list: string): string[] => [
  ...new Set(list.split(/[\s,;]+/).filter((code) => code !== "")),
];

/** Reads the countries that an account allows: `all`, or codes of ISO 3166 with commas, semicolons or blanks between. */
export function readAllowedCountries(value: string): AllowedCountries {
  const codes = splitCountries(value.toUpperCase());
  if (codes.length === 1 && codes[0] === ALL_COUNTRIES.toUpperCase()) {
    return { ok: true, countries: null };
  }
  const code = codes.find((each) => !COUNTRIES.has(each));
  if (code !== undefined) {
    return { ok: false, fault: "unknown", code };
  }
  return codes.length === 0 ? { ok: false, fault: "none" } : { ok: true, countries: new Set(codes) };
}
