import type { MessageLife } from "../../shared/history";
import type { MessageRecord, TimelineKind, TimelineStep } from "../../shared/message-record";
import { actAsButton, el } from "../activity/dom";
import { texts } from "../activity/formatting";
import { nodeOf, reveal } from "../activity/node-lookup";
import { type Tone, toneOf } from "./history-model";
import { longTime, nodeLabel, referenceOf, shortTime } from "./wording";

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

/** The life of a message: what it means, what to do, its steps, and its ids. */
export function messageDetails({ record, steps }: MessageLife): HTMLElement {
  return el(
    "div",
    "messaging-history-details",
    el("p", "", record.meaning),
    record.advice === null ? null : el("p", "", el("b", "", texts("history.advice")), ` ${record.advice}`),
    el("ol", "messaging-history-steps", ...steps.map((step) => stepRow(step, record))),
    facts(record),
  );
}

function stepRow(step: TimelineStep, record: MessageRecord): HTMLElement {
  const { kind, at, text, outcome } = step;
  const tone = STEP_TONES[kind];
  const colour = tone === "outcome" ? toneOf({ state: "done", outcome, delivery: null }) : tone;
  const time = el("span", "messaging-history-quiet", shortTime(at));
  time.title = longTime(at);
  return el(
    "li",
    "",
    el("i", `messaging-activity-dot messaging-activity-${colour}`),
    el(
      "span",
      "",
      time,
      ` ${kind === "reply" ? texts("history.reply", { who: record.recipient }) : text}`,
      kind === "answered" ? answerOf(record) : null,
    ),
  );
}

/** Code and words of the answer, which say more than its outcome. */
function answerOf({ statusCode, statusName, statusMessage }: MessageRecord): HTMLElement | null {
  const code = [statusCode, statusName].filter((part) => part !== null).join(" ");
  const words = [code, statusMessage ?? ""].filter((part) => part !== "").join(": ");
  return words === "" ? null : el("span", "messaging-history-answer", words);
}

function facts(record: MessageRecord): HTMLElement {
  const { clientMessageId, transferId, attempts, operation, channel, node } = record;
  const rows: readonly (readonly [key: string, value: string | HTMLElement])[] = [
    ["node", nodeLink(node)],
    ["operation", `${channel} (${operation})`],
    ...(clientMessageId === null ? [] : [["clientMessageId", clientMessageId] as const]),
    ...(transferId === null ? [] : [["transferId", transferId] as const]),
    ...(attempts > 1 ? [["attempts", String(attempts)] as const] : []),
  ];
  return el(
    "dl",
    "",
    ...rows.map(([key, value]) =>
      el("div", "", el("dt", "", texts(`history.fact.${key}`)), el("dd", "", value)),
    ),
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
