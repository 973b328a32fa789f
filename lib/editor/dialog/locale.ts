/** Formats in the language of the editor's texts; the browser's own may be another. */

/** Cached because creating a format is slow. */
const numbers = new Map<string, Intl.NumberFormat>();
const moments = new Map<string, Intl.DateTimeFormat>();

export const language = (): string => RED.i18n.lang() ?? "en-US";

export function formatNumber(value: number): string {
  const locale = language();
  let format = numbers.get(locale);
  if (format === undefined) {
    format = new Intl.NumberFormat([locale, "en-US"], { maximumFractionDigits: 20 });
    numbers.set(locale, format);
  }
  return format.format(value);
}

export function formatMoment(
  at: Date | number,
  options: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "medium" },
): string {
  const locale = language();
  const key = `${locale} ${JSON.stringify(options)}`;
  let format = moments.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat([locale, "en-US"], options);
    moments.set(key, format);
  }
  return format.format(at);
}
