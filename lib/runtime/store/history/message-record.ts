import type { MessageRecord, MessageState } from "../../../shared/history/message-record";
import { isSkipped, OUTCOMES } from "../../../shared/outcomes";
import { readUnreadable } from "../../../shared/recipients/unreadable-number";
import { readPerson } from "../../../shared/recipients/row-person";
import { sanitiseText } from "../../../shared/sanitise-text";
import { readStoredAnswer, settledVerdict } from "../../../gateway/queue/stored-content";
import type { HistoryEntry } from "../../../store/history/history-entry";
import { hasText, say } from "../../../texts/say";

type DeliveryKind = "delivered" | "read" | "failed" | "status";

const KINDS: ReadonlyMap<string, DeliveryKind> = new Map([
  ["delivered", "delivered"],
  ["read", "read"],
  ["failed", "failed"],
  ["expired", "failed"],
  ["deleted", "failed"],
  ["rejected", "failed"],
]);

/** The service continues after `undelivered`. @param status in lower case */
export const deliveryKind = (status: string): DeliveryKind => KINDS.get(status) ?? "status";

type ShownAnswer = Pick<
  MessageRecord,
  | "statusCode"
  | "statusName"
  | "statusMessage"
  | "advice"
  | "parameter"
  | "httpStatus"
  | "smsCount"
  | "source"
  | "test"
  | "simulated"
>;

const STATES: Readonly<Record<string, MessageState>> = {
  staging: "waiting",
  queued: "waiting",
  paused: "paused",
  orphaned: "without-node",
  sending: "sending",
  settled: "done",
  emitted: "done",
};

export const stateOf = (state: string): MessageState => STATES[state] ?? "waiting";

/** The last and, negative, the first ms of a date. */
const LAST_INSTANT = 8.64e15;

/** An event may name any time. */
export const instantOf = (at: number): string =>
  new Date(Math.max(-LAST_INSTANT, Math.min(LAST_INSTANT, at))).toISOString();
const instantOrNull = (at: number | null): string | null => (at === null ? null : instantOf(at));

const toText = (value: unknown): string | null => (typeof value === "string" ? value : null);
const toNumber = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** A damaged or missing response gives nulls; other columns have the outcome. */
function shownAnswer({ operation, simulated, transferId, answer }: HistoryEntry): ShownAnswer {
  let stored: Readonly<Record<string, unknown>> = {};
  try {
    if (answer !== null) {
      stored = { ...readStoredAnswer({ operation, transferId, answer }) };
    }
  } catch {
    // Nulls.
  }
  const { source } = stored;
  return {
    statusCode: toNumber(stored.statusCode),
    statusName: toText(stored.statusName),
    statusMessage: toText(stored.statusMessage),
    advice: toText(stored.advice),
    parameter: toText(stored.parameter),
    httpStatus: toNumber(stored.httpStatus),
    smsCount: toNumber(stored.smsCount),
    source: source === "service" || source === "local" ? source : null,
    test: stored.test === true,
    simulated,
  };
}

/** Fills the record of a message whose process ended before the response. */
function endedAnswer(entry: HistoryEntry): Partial<ShownAnswer> {
  const { answer, settledBy, outcome } = entry;
  if (outcome === null || answer !== null || (settledBy !== "process-ended" && settledBy !== "event")) {
    return {};
  }
  const { statusName, statusMessage, advice, source } = settledVerdict(entry);
  return { statusName, statusMessage, advice, source };
}

export const getStatusName = (entry: HistoryEntry): string | null => shownAnswer(entry).statusName;

export function outcomeText(
  { outcome, settledBy }: Pick<HistoryEntry, "outcome" | "settledBy">,
  statusName: string | null,
): string | null {
  if (outcome === null) {
    return null;
  }
  if (isSkipped(statusName)) {
    return say("record.skipped", { reason: say(`badges.reason.${statusName}`) });
  }
  const isUnsent = settledBy === "process-ended" && outcome === "retry-later";
  return settledBy === null || settledBy === "response" || isUnsent
    ? say(`record.outcome.${outcome}`)
    : say(`record.settled.${settledBy}`);
}

/** Known statuses of the service are shorter. */
const LONGEST_STATUS = 40;

/** One line, because the service chooses the status. */
export function deliveryText(status: string): string {
  const known = `record.status.${status.toLowerCase()}`;
  return hasText(known)
    ? say(known)
    : say(`record.delivery.${deliveryKind(status)}`, { status: sanitiseText(status, LONGEST_STATUS) });
}

function getMeaning(entry: HistoryEntry, state: MessageState, statusName: string | null): string {
  if (state !== "done") {
    const waits = entry.attempts === 0 ? "scheduled" : "due";
    return say(`record.state.${state === "waiting" && entry.due !== null ? waits : state}`);
  }
  const outcome = outcomeText(entry, statusName);
  const delivery = entry.delivery === null ? null : deliveryText(entry.delivery);
  return [outcome, delivery].filter((text) => text !== null).join(" ");
}

/** A delivery report and the end of a process decide more than the response. */
function getAdvice(
  { outcome, settledBy, delivery }: HistoryEntry,
  state: MessageState,
  answered: string | null,
): string | null {
  if (state === "paused" || state === "without-node") {
    return say(`record.advice.${state}`);
  }
  if (state !== "done" || outcome === null) {
    return null;
  }
  if (delivery !== null && deliveryKind(delivery) === "failed") {
    return say("record.advice.undelivered");
  }
  if (settledBy === "event" || (delivery !== null && !OUTCOMES[outcome].failure)) {
    return say("record.advice.done");
  }
  if (settledBy === "cancel") {
    return say("record.advice.cancel");
  }
  return answered ?? (outcome === "unknown" ? say("outcomes.send.check-first") : null);
}

export function messageRecord(entry: HistoryEntry): MessageRecord {
  const { job, request, part, place, account, node, channel, operation, number, outcome, settledBy } = entry;
  const state = stateOf(entry.state);
  const unreadable = readUnreadable(number);
  const person = entry.person === null ? null : readPerson(entry.person);
  const answer = { ...shownAnswer(entry), ...endedAnswer(entry) };
  return {
    id: `${request}-${place}`,
    job,
    request,
    part,
    place,
    account,
    node,
    channel,
    operation,
    recipient: unreadable === null ? `+${number}` : unreadable.text,
    name: person?.name ?? null,
    row: unreadable?.row ?? person?.row ?? null,
    state,
    meaning: getMeaning(entry, state, answer.statusName),
    outcome,
    ...answer,
    advice: getAdvice(entry, state, answer.advice),
    transferId: entry.transferId,
    clientMessageId: entry.clientMessageId,
    // Attempts are counted with the response: a request without one was attempted at least once.
    attempts:
      entry.leftAt !== null && settledBy !== "response" ? Math.max(1, entry.attempts) : entry.attempts,
    takenAt: instantOf(entry.takenAt),
    dueAt: state === "waiting" ? instantOrNull(entry.due) : null,
    settledAt: instantOrNull(entry.settledAt),
    delivery: entry.delivery,
    deliveryAt: instantOrNull(entry.deliveryAt),
    settledBy,
  };
}
