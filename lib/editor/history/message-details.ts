import type { MessageLife } from "../../shared/history/history";
import type { MessageRecord, TimelineKind, TimelineStep } from "../../shared/history/message-record";
import { missingReports } from "../activity/entries/delivery-hint";
import { actAsButton, button, el } from "../activity/dom";
import { texts } from "../activity/formatting";
import { dot, factList, titled } from "../activity/parts";
import { nodeOf, reveal } from "../activity/node-lookup";
import { type Tone, toneOf } from "./history-model";
import { channelName, longTime, nodeLabel, referenceOf, shortTime } from "./wording";

const STEP_TONES: Readonly<Record<TimelineKind, Tone | "outcome">> = {
  queued: "none",
  sending: "in",
  answered: "outcome",
  cancelled: "wait",
  interrupted: "bad",
  delivered: "good",
  read: "good",
  failed: "bad",
  status: "none",
  reply: "in",
};

/** Operations whose name says more than their channel; each has a text. */
const NAMED_OPERATIONS = [
  "sms-form",
  "sms-get",
  "sms-json",
  "whatsapp-broadcast",
  "whatsapp-text",
  "whatsapp-media",
  "whatsapp-template",
];

/** What a person can do with a message; null for what the user must not. */
export interface MessageActions {
  /** Sends the message of the flow again to those who failed. */
  readonly sendAgain: ((record: MessageRecord) => void) | null;
  /** Shows the conversation with its recipient. */
  readonly converse: ((record: MessageRecord) => void) | null;
}

/** The life of a message: what it means, what to do, its steps, and its ids. */
export function messageDetails(
  { record, steps }: MessageLife,
  { sendAgain, converse }: MessageActions,
): readonly HTMLElement[] {
  const { meaning, advice, account, node, outcome, delivery, test, state, recipient } = record;
  const hasFailed = state === "done" && ["bad", "wait"].includes(toneOf(record));
  const isWaitedFor = (outcome === "sent" || outcome === "queued") && delivery === null && !test;
  const hint = isWaitedFor ? missingReports(account, nodeOf(referenceOf(node))) : null;
  return [
    el("p", "", meaning),
    ...(advice === null ? [] : [hint ?? el("p", "", el("b", "", texts("history.advice")), ` ${advice}`)]),
    el(
      "ol",
      "messaging-activity-steps messaging-history-steps",
      ...steps.map((step) => stepRow(step, record)),
    ),
    facts(record),
    ...(converse === null || !recipient.startsWith("+")
      ? []
      : [button({ icon: "comments-o", text: texts("history.conversation.button") }, () => converse(record))]),
    // One that may have arrived is never sent again.
    ...(sendAgain === null || !hasFailed || outcome === "unknown"
      ? []
      : [button({ icon: "repeat", text: texts("history.again.job") }, () => sendAgain(record))]),
  ];
}

function stepRow(step: TimelineStep, record: MessageRecord): HTMLElement {
  const { kind, at, text, outcome } = step;
  const tone = STEP_TONES[kind];
  return el(
    "li",
    "",
    dot(
      tone === "outcome"
        ? toneOf({ state: "done", outcome, delivery: null, statusName: record.statusName })
        : tone,
    ),
    el(
      "span",
      "",
      titled("messaging-activity-quiet", shortTime(at), longTime(at)),
      ` ${kind === "reply" ? texts("history.reply", { who: record.recipient }) : text}`,
      kind === "answered" ? answerOf(record) : null,
    ),
  );
}

/** The words of the answer, which say more than its outcome, with its code. */
function answerOf({ statusCode, statusName, statusMessage }: MessageRecord): HTMLElement | null {
  const code = [statusCode, statusName].filter((part) => part !== null).join(" ");
  const said = statusMessage ?? "";
  const words = said === "" || code === "" ? said + code : `${said} (${code})`;
  return words === "" ? null : el("span", "messaging-history-answer", words);
}

/** What kind of message it was, in words, with the name that errors and logs have for it in brackets. */
function operationLabel(channel: string, operation: string): string {
  const label = channelName(channel);
  return NAMED_OPERATIONS.includes(operation)
    ? `${label}, ${texts(`operation.${operation}`)} (${operation})`
    : label;
}

function facts(record: MessageRecord): HTMLElement {
  const { clientMessageId, transferId, attempts, operation, channel, node } = record;
  const rows: readonly (readonly [key: string, value: string | HTMLElement | null])[] = [
    ["node", nodeLink(node)],
    ["operation", operationLabel(channel, operation)],
    ["clientMessageId", clientMessageId],
    ["transferId", transferId],
    ["attempts", attempts > 1 ? String(attempts) : null],
  ];
  return factList(
    rows
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [texts(`history.fact.${key}`), value] as const),
  );
}

function nodeLink(node: string): HTMLElement {
  const link = el("span", "", nodeLabel(node));
  if (node !== "" && nodeOf(referenceOf(node)) !== null) {
    link.className = "messaging-history-link";
    link.title = texts("reveal");
    actAsButton(link, () => reveal(referenceOf(node)));
  }
  return link;
}
