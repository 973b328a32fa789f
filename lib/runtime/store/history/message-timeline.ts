import type { TimelineStep } from "../../../shared/history/message-record";
import type { History, HistoryEvent } from "../../../store/history/history";
import type { HistoryEntry } from "../../../store/history/history-entry";
import { byRank, reportTime, type TimedReport } from "../../../store/events/report-order";
import { say } from "../../../texts/say";
import { deliveryKind, deliveryText, instantOf, outcomeText, getStatusName } from "./message-record";

/** The first ones of each. */
const MOST_EVENTS = 50;

const NOTHING = { status: null, outcome: null, body: null } as const;

/** A step before its place in the order is final. */
type Timed = Omit<TimelineStep, "at"> & { readonly at: number };

/** One step, or two if a report settled an `unknown` outcome. */
function settledStep(entry: HistoryEntry): readonly Timed[] {
  const { settledAt, settledBy, outcome } = entry;
  if (settledAt === null || outcome === null) {
    return [];
  }
  // The report has its own step, so this one shows the earlier outcome.
  const before = settledBy === "event" ? "unknown" : outcome;
  const by = settledBy !== "event" ? settledBy : entry.answer === null ? "process-ended" : "response";
  const kind = by === "cancel" ? "cancelled" : by === "process-ended" ? "interrupted" : "answered";
  const text = outcomeText({ outcome: before, settledBy: by }, getStatusName(entry)) ?? "";
  return [{ ...NOTHING, kind, at: settledAt, text, outcome: before }];
}

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

/** Steps from oldest to newest. Events count by their own time, which may differ from this computer's clock. */
export function toTimeline(
  entry: HistoryEntry,
  events: readonly HistoryEvent[],
  replies: readonly HistoryEvent[],
): readonly TimelineStep[] {
  const later: Timed[] = [
    // A blocked message was never sent, although it had a connection.
    ...(entry.leftAt === null || isHeldBack(entry)
      ? []
      : [{ ...NOTHING, kind: "sending", at: entry.leftAt, text: say("record.step.sending") } as const]),
    ...settledStep(entry),
    ...reportSteps(events),
    ...replies.map(
      ({ at, body }): Timed => ({ ...NOTHING, kind: "reply", at, text: say("record.step.reply"), body }),
    ),
  ];
  // No report is older than the message, whatever the service's clock says.
  const begun = Math.max(entry.takenAt, isHeldBack(entry) ? 0 : (entry.leftAt ?? 0));
  // Nor is it older than the response, which a fast service can overtake.
  const answered = later.find(({ kind }) => kind === "answered");
  const follows = (step: Timed): boolean =>
    entry.settledBy !== "event" && (isReport(step) || (step.kind === "reply" && entry.outcome === "sent"));
  const earliest = (step: Timed): number => Math.max(step.at, begun, follows(step) ? (answered?.at ?? 0) : 0);
  later.sort((a, b) => earliest(a) - earliest(b));
  const first: Timed = { ...NOTHING, kind: "queued", at: entry.takenAt, text: say("record.step.queued") };
  return [first, ...later].map((step) => ({ ...step, at: instantOf(step.at) }));
}

/** @throws StoreError */
export const readTimelineFacts = (
  history: History,
  { account, number, request, place, takenAt }: HistoryEntry,
): Promise<[events: readonly HistoryEvent[], replies: readonly HistoryEvent[]]> =>
  Promise.all([
    history.recipientEvents(request, place, MOST_EVENTS),
    history.replies(account, number, takenAt, MOST_EVENTS),
  ]);

/** @throws StoreError */
export const readTimeline = async (history: History, entry: HistoryEntry): Promise<readonly TimelineStep[]> =>
  toTimeline(entry, ...(await readTimelineFacts(history, entry)));
