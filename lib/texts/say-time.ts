import { currentLanguage } from "./say";

const formats = new Map<string, Intl.DateTimeFormat>();

/** To make one takes longer than to use it a hundred times. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const language = currentLanguage();
  const key = `${language} ${zone}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(language, {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZoneName: "short",
      ...(zone !== "" && { timeZone: zone }),
    });
    formats.set(key, format);
  }
  return format;
}

/**
 * A point in time in Node-RED's language, with its zone: `Nov 22, 2026, 16:44 GMT+1`.
 * @param at epoch ms
 * @param zone IANA name; blank for that of the process
 */
export const sayTime = (at: number, zone: string): string => formatOf(zone).format(at);
