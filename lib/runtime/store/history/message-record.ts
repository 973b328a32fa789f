import type { MessageRecord, MessageState } from "../../../shared/history/message-record";
import { isSkipped, OUTCOMES } from "../../../shared/outcomes";
import { readUnreadable } from "../../../shared/recipients/unreadable-number";
import { readPerson } from "../../../shared/recipients/row-person";
import { sanitiseText } from "../../../shared/sanitise-text";
import { readStoredAnswer, settledVerdict } from "../../../gateway/queue/stored-content";
import type { HistoryEntry } from "../../../store/history/history-entry";
import { hasText, say } from "../../../texts/say";

/** What a report says: that the message arrived, was read, did not arrive, or anything on the way. */
type DeliveryKind = "delivered" | "read" | "failed" | "status";

const KINDS: ReadonlyMap<string, DeliveryKind> = new Map([
  ["delivered", "delivered"],
  ["read", "read"],
  ["failed", "failed"],
  ["expired", "failed"],
  ["deleted", "failed"],
  ["rejected", "failed"],
]);

/** @param status the service's word, in lower case. The service goes on trying after `undelivered`. */
export const deliveryKind = (status: string): DeliveryKind => KINDS.get(status) ?? "status";

/** The stored answer, as far as a record shows it. */
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

/** Where a message stands. @param state of its request in the store */
export const stateOf = (state: string): MessageState => STATES[state] ?? "waiting";

/** ms of the last and, with a minus, the first time that a date can have. */
const LAST_INSTANT = 8.64e15;

/** A time of the store, in epoch ms, as flows see it. An event may name any time. */
export const instantOf = (at: number): string =>
  new Date(Math.max(-LAST_INSTANT, Math.min(LAST_INSTANT, at))).toISOString();
const instantOrNull = (at: number | null): string | null => (at === null ? null : instantOf(at));

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** Reads a stored answer. One that is damaged or missing gives nulls: the columns beside it say what became of the message. */
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
    statusCode: numberOf(stored.statusCode),
    statusName: textOf(stored.statusName),
    statusMessage: textOf(stored.statusMessage),
    advice: textOf(stored.advice),
    parameter: textOf(stored.parameter),
    httpStatus: numberOf(stored.httpStatus),
    smsCount: numberOf(stored.smsCount),
    source: source === "service" || source === "local" ? source : null,
    test: stored.test === true,
    simulated,
  };
}

/** A message that was never answered, because its process ended: what is known of it, in the words of a result. */
function endedAnswer(entry: HistoryEntry): Partial<ShownAnswer> {
  const { answer, settledBy, outcome } = entry;
  if (outcome === null || answer !== null || (settledBy !== "process-ended" && settledBy !== "event")) {
    return {};
  }
  const { statusName, statusMessage, advice, source } = settledVerdict(entry);
  return { statusName, statusMessage, advice, source };
}

/** The name that the stored answer has for its code or fault; null where there is no answer. */
export const statusNameOf = (entry: HistoryEntry): string | null => shownAnswer(entry).statusName;

/** What its outcome means, by what decided it. */
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

/** Characters of a status in a sentence. Those that the service is known to have are shorter. */
const LONGEST_STATUS = 40;

/** What a report says, on one line: its status is a word of others. */
export function deliveryText(status: string): string {
  const known = `record.status.${status.toLowerCase()}`;
  return hasText(known)
    ? say(known)
    : say(`record.delivery.${deliveryKind(status)}`, { status: sanitiseText(status, LONGEST_STATUS) });
}

function meaningOf(entry: HistoryEntry, state: MessageState, statusName: string | null): string {
  if (state !== "done") {
    const waits = entry.attempts === 0 ? "scheduled" : "due";
    return say(`record.state.${state === "waiting" && entry.due !== null ? waits : state}`);
  }
  const outcome = outcomeText(entry, statusName);
  const delivery = entry.delivery === null ? null : deliveryText(entry.delivery);
  return [outcome, delivery].filter((text) => text !== null).join(" ");
}

/** What to do now: a report and the death of a process say more than the answer did. */
function adviceOf(
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

/** What an account remembers of one message to one recipient, in the words of flows. Times are ISO 8601 in UTC. */
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
    meaning: meaningOf(entry, state, answer.statusName),
    outcome,
    ...answer,
    advice: adviceOf(entry, state, answer.advice),
    transferId: entry.transferId,
    clientMessageId: entry.clientMessageId,
    // Tries are counted with the answer: what left and has none was tried at least once.
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
