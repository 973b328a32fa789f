import { currentLanguage } from "./say";

const formats = new Map<string, Intl.DateTimeFormat>();

/** A formatter is a hundred times slower to make than to use. */
function getFormat(name: string, options: () => Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const language = currentLanguage();
  const key = `${language} ${name}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(language, {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZoneName: "short",
      ...options(),
    });
    formats.set(key, format);
  }
  return format;
}

/** Formats `Nov 22, 2026, 16:44 GMT+1`. @param at epoch ms @param zone IANA name, or blank for that of the process */
export const sayTime = (at: number, zone: string): string =>
  getFormat(`zone ${zone}`, () => ({
    year: "numeric",
    month: "short",
    day: "numeric",
    ...(zone !== "" && { timeZone: zone }),
  })).format(at);

/** Formats `08:00 GMT+1`, with the date unless today. @param at epoch ms @param now epoch ms */
export function sayMoment(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  const format = isToday
    ? getFormat("today", () => ({}))
    : getFormat("day", () => ({ month: "short", day: "numeric" }));
  return format.format(at);
}
