import type { MessageRecord } from "../../shared/history/message-record";
import { isSkipped } from "../../shared/outcomes";
import { deliveryWord, formatTime, labelOf, texts } from "../activity/formatting";
import { RequestFailure } from "../activity/request";
import { confirm } from "../dialog/confirm";
import { formatMoment } from "../dialog/locale";
import { nodeIdOf } from "./history-model";

/** The time alone for today, else the date with it. @param at ISO 8601 */
export function shortTime(at: string, now = new Date()): string {
  const date = new Date(at);
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

/** Those of messages to people, by the names of their texts. */
const CHANNELS: readonly string[] = ["sms", "voice", "whatsapp", "rcs"];

/** Icon of a channel by its label. */
export const channelIcon = (channel: string): string =>
  ({ sms: "envelope-o", voice: "phone", whatsapp: "whatsapp", rcs: "comments-o" })[channel.toLowerCase()] ??
  "envelope-o";

/** The name of a channel that the store has; one that is not known stays as it is. */
export const channelName = (channel: string): string => {
  const key = channel.toLowerCase();
  return CHANNELS.includes(key) ? texts(`channel.${key}`) : channel;
};

/** When a message that waits for a time leaves; null where it waits for none, or the time has come. @param at ISO 8601 */
export const leavesText = (at: string | null, now = Date.now()): string | null =>
  at === null || new Date(at).getTime() <= now
    ? null
    : texts("history.leavesAt", { time: shortTime(at, new Date(now)) });

/** Outcome and delivery of a message in a few words, or where it waits. */
export function standingOf({
  state,
  outcome,
  delivery,
  dueAt,
  statusName,
}: MessageRecord): readonly string[] {
  if (state !== "done" || outcome === null) {
    return [leavesText(dueAt) ?? texts(`history.state.${state}`)];
  }
  if (isSkipped(statusName)) {
    return [texts("result.skipped"), texts(`skipped.${statusName}`)];
  }
  return [texts(`result.${outcome}`), ...(delivery === null ? [] : [deliveryWord(delivery)])];
}

/** Who a message is for. What could not be read as a number stands as it was given, with its place in the list. */
export const recipientOf = ({ recipient, name, row }: MessageRecord): string =>
  [
    ...(name === null ? [] : [`${name},`]),
    recipient === "" ? texts("history.noNumber") : recipient,
    ...(row === null ? [] : [`(${texts("history.row", { n: row })})`]),
  ].join(" ");

/** The reference of a stored node for look-ups in the editor. */
export const referenceOf = (node: string) => ({ node, template: nodeIdOf(node) });

/** Label of the node of a message. */
export function nodeLabel(node: string): string {
  if (node === "") {
    return texts("history.withoutNode");
  }
  return labelOf(referenceOf(node)) || texts(node.includes("/") ? "history.inSubflow" : "history.gone");
}

/** A failure as a sentence. */
export function failureText(failure: unknown): string {
  const { fault, detail } = failure instanceof RequestFailure ? failure : new RequestFailure("down");
  return detail === "" ? texts(`history.fault.${fault}`) : detail;
}

/** What there is to say of an action: its own words, or why it failed. */
export const reportOf = (action: Promise<string>): Promise<readonly [text: string, wrong: boolean]> =>
  action.then(
    (text) => [text, false] as const,
    (failure: unknown) => [failureText(failure), true] as const,
  );

/** Asks before something that cannot be undone. @param yes label of the button that does it */
export const ask = (question: string, yes: string, confirmed: () => void): void =>
  confirm({ question, no: texts("history.keep"), yes }, confirmed);
