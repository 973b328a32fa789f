/**
 * Numbers, times and dates as the editor's language writes them: 2,404 in en-US, 2.404 in de. The language is the one
 * of the editor's texts, which the settings of its user choose; the browser's own may be another.
 */

/** Made once for each language and form, since making one is slow. */
const numbers = new Map<string, Intl.NumberFormat>();
const moments = new Map<string, Intl.DateTimeFormat>();

/** The editor's language, such as `de`. */
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

/** Date and time, or the parts of them that the options name, in the editor's language and the browser's time zone. */
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
