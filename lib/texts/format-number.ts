import type { Language } from "./catalogues";
import { currentLanguage } from "./say";

const formats = new Map<Language, Intl.NumberFormat>();

/** Formats `2,404`, in German `2.404`. Not for codes and ports. */
export function formatNumber(value: number): string {
  const language = currentLanguage();
  let format = formats.get(language);
  if (format === undefined) {
    format = new Intl.NumberFormat(language);
    formats.set(language, format);
  }
  return format.format(value);
}
