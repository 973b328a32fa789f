import type { TimelineStep } from "../../../shared/history/message-record";
import type { History, HistoryEvent } from "../../../store/history/history";
import type { HistoryEntry } from "../../../store/history/history-entry";
import { byRank, reportTime, type TimedReport } from "../../../store/events/report-order";
import { say } from "../../../texts/say";
import { deliveryKind, deliveryText, instantOf, outcomeText, statusNameOf } from "./message-record";

/** Events and replies of a message that are shown, of each the first ones. */
const MOST_EVENTS = 50;

const NOTHING = { status: null, outcome: null, body: null } as const;

/** A step whose time still decides its place. */
type Timed = Omit<TimelineStep, "at"> & { readonly at: number };

/** How its outcome came about: one step, or two where a report settled what was unknown. */
function settledStep(entry: HistoryEntry): readonly Timed[] {
  const { settledAt, settledBy, outcome } = entry;
  if (settledAt === null || outcome === null) {
    return [];
  }
  // The report has its own step, so this one says what was known before it.
  const before = settledBy === "event" ? "unknown" : outcome;
  const by = settledBy !== "event" ? settledBy : entry.answer === null ? "process-ended" : "response";
  const kind = by === "cancel" ? "cancelled" : by === "process-ended" ? "interrupted" : "answered";
  const text = outcomeText({ outcome: before, settledBy: by }, statusNameOf(entry)) ?? "";
  return [{ ...NOTHING, kind, at: settledAt, text, outcome: before }];
}

/** Reports in the order in which things happened. */
function reportSteps(events: readonly HistoryEvent[]): readonly Timed[] {
  const reports = events.map(({ status, at, receivedAt, body }) => ({
    status: status ?? "",
    at,
    isOwn: at !== receivedAt,
    body,
  }));
  return reports
    .map((report: TimedReport & { readonly body: string | null }): Timed => {
      const { status, body } = report;
      const at = reportTime(report, reports);
      return { kind: deliveryKind(status), at, text: deliveryText(status), status, outcome: null, body };
    })
    .sort((one, other) => one.at - other.at || byRank(one.status ?? "", other.status ?? ""));
}

const isReport = ({ status }: Timed): boolean => status !== null;

const isHeldBack = ({ settledAt, attempts, outcome }: HistoryEntry): boolean =>
  settledAt !== null && attempts === 0 && outcome !== "unknown";

/**
 * The life of one message to one recipient, oldest step first. Of an event counts the time that it names itself; the clock of the
 * service may differ from this computer's. The step `sending` is that of the last try.
 * @param events those of this recipient (`History.recipientEvents`)
 * @param replies inbound messages of the same number since the message was taken (`History.replies`)
 */
export function timelineOf(
  entry: HistoryEntry,
  events: readonly HistoryEvent[],
  replies: readonly HistoryEvent[],
): readonly TimelineStep[] {
  const later: Timed[] = [
    // What the account itself held back has never left, although it had a place on a connection.
    ...(entry.leftAt === null || isHeldBack(entry)
      ? []
      : [{ ...NOTHING, kind: "sending", at: entry.leftAt, text: say("record.step.sending") } as const]),
    ...settledStep(entry),
    ...reportSteps(events),
    ...replies.map(
      ({ at, body }): Timed => ({ ...NOTHING, kind: "reply", at, text: say("record.step.reply"), body }),
    ),
  ];
  // No report is older than the message, whatever the clock of the service says.
  const begun = Math.max(entry.takenAt, isHeldBack(entry) ? 0 : (entry.leftAt ?? 0));
  // Nor does it come before the answer, which a quick service can overtake; of what was accepted, no answer of a person either.
  const answered = later.find(({ kind }) => kind === "answered");
  const follows = (step: Timed): boolean =>
    entry.settledBy !== "event" && (isReport(step) || (step.kind === "reply" && entry.outcome === "sent"));
  const earliest = (step: Timed): number => Math.max(step.at, begun, follows(step) ? (answered?.at ?? 0) : 0);
  later.sort((a, b) => earliest(a) - earliest(b));
  const first: Timed = { ...NOTHING, kind: "queued", at: entry.takenAt, text: say("record.step.queued") };
  return [first, ...later].map((step) => ({ ...step, at: instantOf(step.at) }));
}

/** Reads the events and the replies of a message, for `timelineOf`. @throws StoreError */
export const readTimelineFacts = (
  history: History,
  { account, number, request, place, takenAt }: HistoryEntry,
): Promise<[events: readonly HistoryEvent[], replies: readonly HistoryEvent[]]> =>
  Promise.all([
    history.recipientEvents(request, place, MOST_EVENTS),
    history.replies(account, number, takenAt, MOST_EVENTS),
  ]);

/** Reads the life of a message from the history. @throws StoreError */
export const readTimeline = async (history: History, entry: HistoryEntry): Promise<readonly TimelineStep[]> =>
  timelineOf(entry, ...(await readTimelineFacts(history, entry)));
