import { type ActivityEntry, type Counted, isNotice, type NoticeResult } from "../../shared/activity";
import { formatMoment, formatNumber } from "../dialog/locale";
import type { NodeDefinition } from "../dialog/node-definition";
import { catalogueTexts } from "../dialog/texts";
import { deliveryTone, KNOWN_DELIVERIES } from "./entries/delivery-facts";
import { isRefusal, type ShownEntry } from "./model";
import { nodeOf } from "./node-lookup";

export const texts = catalogueTexts("messaging-activity");

export const CHANNEL_ICONS = {
  sms: "envelope-o",
  voice: "phone",
  whatsapp: "whatsapp",
  rcs: "comments-o",
  media: "picture-o",
  webhook: "sign-in",
  account: "shield",
} as const satisfies Readonly<Record<ActivityEntry["channel"], string>>;

export const TONES = {
  sent: "good",
  queued: "good",
  rejected: "bad",
  denied: "bad",
  "retry-later": "wait",
  unknown: "bad",
  skipped: "none",
  files: "good",
  "files-failed": "bad",
  received: "in",
  duplicate: "none",
  refused: "wait",
  "sent-back": "wait",
  stopped: "wait",
  "goes-on": "good",
  "sign-in-refused": "bad",
  "limit-near": "wait",
  "limit-reached": "wait",
} as const satisfies Readonly<Record<Counted | NoticeResult, string>>;

/** `hh:mm:ss` in the browser's time zone. */
export const formatTime = (at: number): string => new Date(at).toTimeString().slice(0, 8);

export const formatCount = formatNumber;

/** Text after the result: code and name of an answer, kind of an event, or reason of a refusal. */
export function detailOf(entry: ShownEntry): string {
  const { result, code, name, status, reason } = entry;
  switch (result) {
    case "received":
      return status === "" ? texts(`kind.${name}`) : `${texts(`kind.${name}`)}: ${status}`;
    case "duplicate":
      return texts("kind.duplicate");
    case "refused":
      return `${code ?? ""} ${texts(`reason.${name}`)}${timesOf(entry)}`.trim();
    case "sent-back":
      return texts(`back.${name}`);
    case "skipped":
      return texts(`skipped.${name}`);
    case "stopped":
    case "goes-on":
      return "";
    case "limit-near":
    case "limit-reached":
      return texts(`limit.${name}`, { n: entry.count, limit: code ?? 0 });
    case "sent":
    case "queued":
      // The code says that the service took it, which is no answer to why it did not arrive.
      return deliveryTone(entry.progress ?? NO_DELIVERY) === null ? codeOf(entry) : acceptedText(entry);
    default:
      return reason === undefined ? codeOf(entry) : `${reason} (${codeOf(entry)})`;
  }
}

/** The code of the service with its name, or the name of a fault. */
const codeOf = ({ code, name }: ShownEntry): string => `${code ?? ""} ${name}`.trim();

const NO_DELIVERY = { status: "" };

/** What the answer said of a message whose delivery is known: worth a word where it did not arrive. */
const acceptedText = ({ progress }: ShownEntry): string =>
  deliveryTone(progress ?? NO_DELIVERY) === "bad" ? texts("delivery.wasAccepted") : "";

/** Count and start of repeated refusals; empty for a single one. */
function timesOf(entry: ShownEntry): string {
  return isRefusal(entry) && entry.times > 1
    ? ` · ${texts("times", { n: entry.times, since: formatMoment(entry.since) })}`
    : "";
}

export function whoOf({
  who,
  count,
  result,
}: Pick<ActivityEntry, "who" | "count"> & { readonly result?: ActivityEntry["result"] }): string {
  if (result !== undefined && isNotice(result)) {
    return texts("account");
  }
  return count > 1 ? texts("more", { who, n: count - 1 }) : who;
}

/** Masks numbers: a label made of settings can contain a recipient's number. */
const maskNumbers = (label: string): string => label.replace(/(\+?\d{4})\d{2,}(\d{3})/g, "$1…$2");

/** Label of the node of an entry; empty if it was deleted. */
export function labelOf(entry: Pick<ActivityEntry, "node" | "template">): string {
  const node = nodeOf(entry);
  if (node === null) {
    return "";
  }
  const definition = RED.nodes.getType(node.type) as Partial<Pick<NodeDefinition, "ownLabel">> | undefined;
  return maskNumbers(definition?.ownLabel?.call(node) ?? RED.utils.getNodeLabel(node, node.id));
}

/** @param status of a delivery, in lower case */
export const deliveryWord = (status: string): string =>
  KNOWN_DELIVERIES.has(status) ? texts(`history.delivery.${status}`) : status;

/** What a row says first: the delivery of a message where there is one, else its result. */
export function standingOf({ result, progress, count, file }: ShownEntry): string {
  if (progress === undefined || progress.status === "") {
    return texts(`result.${file ?? result}`);
  }
  const word = deliveryWord(progress.status);
  return count > 1 ? texts("delivery.some", { n: progress.reached, of: count, status: word }) : word;
}

/** Colour of a row. */
export const toneOf = ({ result, progress }: ShownEntry): (typeof TONES)[keyof typeof TONES] =>
  (progress === undefined ? null : deliveryTone(progress)) ?? TONES[result];

/** Whether people have replied; blank where nobody has. */
export function repliesOf({ progress, count }: ShownEntry): string {
  const replies = progress?.replies ?? 0;
  return replies === 0 ? "" : texts(count > 1 ? "delivery.replies" : "delivery.replied", { n: replies });
}

/** Complete text of an entry, for the search. */
export function textOf(entry: ShownEntry): string {
  return [
    whoOf(entry),
    texts(`result.${entry.result}`),
    standingOf(entry),
    repliesOf(entry),
    detailOf(entry),
    texts(`channel.${entry.channel}`),
    labelOf(entry),
    entry.simulated ? texts("simulated") : "",
    formatTime(entry.at),
  ].join(" ");
}
