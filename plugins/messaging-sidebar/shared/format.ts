import { confirm } from "../../../lib/editor/dialog/confirm";
import { formatMoment, formatNumber } from "../../../lib/editor/dialog/locale";
import { knownText, catalogueTexts } from "../../../lib/editor/dialog/texts";
import { RequestFailure } from "./api";
import { KNOWN_DELIVERIES } from "./delivery";

export const texts = catalogueTexts("messaging-sidebar");

export const formatCount = formatNumber;

/** Colours of entries, steps and bars. */
export type Tone = "good" | "bad" | "wait" | "in" | "none";

/** Texts with a dot between them, without those that are blank, null or false. */
export const joined = (...parts: readonly (string | null | false)[]): string =>
  parts.filter(Boolean).join(" · ");

/** `hh:mm:ss` in the browser's time zone. */
export const formatTime = (at: number): string => new Date(at).toTimeString().slice(0, 8);

/** The time alone for today, else with its date. @param at ISO 8601 */
export function shortTime(at: string): string {
  const [date, now] = [new Date(at), new Date()];
  if (date.toDateString() === now.toDateString()) {
    return formatTime(date.getTime());
  }
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: "2-digit" as const };
  return formatMoment(date, {
    ...year,
    day: "2-digit",
    month: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** @param at ISO 8601 */
export const longTime = (at: string): string => formatMoment(new Date(at));

const UNITS = [
  ["days", 86_400_000],
  ["hours", 3_600_000],
  ["minutes", 60_000],
  ["seconds", 1_000],
] as const;

/** A time in the largest unit of which it has one. @param ms not negative */
export function durationText(ms: number): string {
  const [unit, length] = UNITS.find(([, least]) => ms >= least) ?? UNITS[3];
  return texts(`duration.${unit}`, { n: Math.floor(ms / length) });
}

/** When a message that waits for a time is sent; null if it waits for none, or the time has come. @param at ISO 8601 */
export const leavesText = (at: string | null): string | null =>
  at === null || new Date(at).getTime() <= Date.now()
    ? null
    : texts("history.leavesAt", { time: shortTime(at) });

const CHANNEL_ICONS: Readonly<Record<string, string>> = {
  sms: "envelope-o",
  voice: "phone",
  whatsapp: "whatsapp",
  rcs: "comments-o",
};

/** @param channel as records have it, in any case */
export const channelIcon = (channel: string): string => CHANNEL_ICONS[channel.toLowerCase()] ?? "envelope-o";

/** The name of a channel; one that is not known stays as it is. */
export const channelName = (channel: string): string => {
  const key = channel.toLowerCase();
  return key in CHANNEL_ICONS ? texts(`channel.${key}`) : channel;
};

/** @param status of a delivery, in lower case */
export const deliveryWord = (status: string): string =>
  KNOWN_DELIVERIES.includes(status) ? texts(`history.delivery.${status}`) : status;

/** A failure as a sentence. @param group of texts that has its code */
export function failureText(failure: unknown, group = "history.fault"): string {
  const { fault, detail } = failure instanceof RequestFailure ? failure : new RequestFailure("down");
  const text = knownText(texts, `${group}.${fault}`) ?? knownText(texts, `history.fault.${fault}`);
  return detail || (text ?? texts("history.fault.down"));
}

/** Asks before something that cannot be undone. @param yes label of the button that does it */
export const ask = (question: string, yes: string, confirmed: () => void): void =>
  confirm({ question, no: texts("history.keep"), yes }, confirmed);
