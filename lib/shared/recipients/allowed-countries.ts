import { COUNTRIES } from "./phone-number";

export const ALL_COUNTRIES = "all";

export type AllowedCountries =
  /** Null: all countries. */
  | { readonly ok: true; readonly countries: ReadonlySet<string> | null }
  | { readonly ok: false; readonly fault: "none" }
  | { readonly ok: false; readonly fault: "unknown"; readonly code: string };

export const splitCountries = (list: string): string[] => [
  ...new Set(list.split(/[\s,;]+/).filter((code) => code !== "")),
];

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
