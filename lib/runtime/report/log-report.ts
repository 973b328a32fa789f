import type { ReportTotals } from "../../shared/history/report";
import { type Outcome, SHOWN_OUTCOMES, type ShownOutcome } from "../../shared/outcomes";
import { readStoredAnswer } from "../../gateway/queue/stored-content";
import { delaySeconds } from "../../store/history/report-counts";
import { say } from "../../texts/say";
import { deliveryText, instantOf } from "../store/history/message-record";
import { OPEN, type ReasonKey, type ReportSum } from "./report-sum";

const MOST_REASONS = 10;

export interface LogReportRow {
  readonly channel: string;
  readonly outcome: ShownOutcome | typeof OPEN;
  readonly delivery: string;
  readonly count: number;
}

interface LogReportStep extends ReportTotals {
  readonly from: string;
  /** yyyy-mm-dd in the zone of the account. */
  readonly day: string;
  readonly replies: number;
  readonly optOuts: number;
}

interface LogReportReason {
  /** Null for a message that was sent and not delivered. */
  readonly statusCode: number | null;
  readonly statusName: string | null;
  readonly reason: string;
  readonly advice: string | null;
  readonly count: number;
}

/** The counts of a period; each recipient is one. Times are ISO 8601 in UTC. Part of the message contract. */
export interface LogReport extends ReportTotals {
  readonly from: string;
  readonly to: string;
  readonly replies: number;
  readonly optOuts: number;
  /** From sending to delivery, for messages that are delivered but not read; null for none. */
  readonly deliverySeconds: { readonly median: number; readonly p95: number } | null;
  readonly byOutcome: Readonly<Record<ShownOutcome | typeof OPEN, number>>;
  readonly byDelivery: Readonly<Record<string, number>>;
  readonly reasons: readonly LogReportReason[];
  readonly nodes: readonly (ReportTotals & { readonly node: string })[];
  readonly steps: readonly LogReportStep[];
  /** By channel, then outcome, then the most frequent first. */
  readonly rows: readonly LogReportRow[];
}

const ORDER: readonly string[] = [...SHOWN_OUTCOMES, OPEN];

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function reportOf(sum: ReportSum): LogReport {
  const { question, totals, byOutcome, byDelivery, rows, reasons, delays, steps, replies, optOuts } = sum;
  return {
    from: instantOf(question.from),
    to: instantOf(question.to),
    ...totals,
    replies,
    optOuts,
    deliverySeconds:
      delays.size === 0 ? null : { median: quantile(delays, 0.5), p95: quantile(delays, 0.95) },
    byOutcome: { ...byOutcome },
    byDelivery: Object.fromEntries(byDelivery),
    reasons: [...reasons]
      .sort(([a, one], [b, other]) => other - one || compareTexts(a, b))
      .slice(0, MOST_REASONS)
      .map(([key, count]) => ({ ...toReason(JSON.parse(key) as ReasonKey), count })),
    nodes: [...sum.nodes].sort((a, b) => b.messages - a.messages || compareTexts(a.node, b.node)),
    steps: steps.map((step) => ({ ...step, from: instantOf(step.from) })),
    rows: toRows(rows),
  };
}

function toRows(counts: ReadonlyMap<string, number>): readonly LogReportRow[] {
  const rows = [...counts].map(([key, count]): LogReportRow => {
    const [channel, outcome, delivery] = JSON.parse(key) as [string, LogReportRow["outcome"], string];
    return { channel, outcome, delivery, count };
  });
  return rows.sort(
    (a, b) =>
      compareTexts(a.channel, b.channel) ||
      ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome) ||
      b.count - a.count ||
      compareTexts(a.delivery, b.delivery),
  );
}

function quantile(delays: ReadonlyMap<number, number>, share: number): number {
  const sorted = [...delays].sort(([a], [b]) => a - b);
  const wanted = share * sorted.reduce((sum, [, count]) => sum + count, 0);
  let passed = 0;
  for (const [bucket, count] of sorted) {
    passed += count;
    if (passed >= wanted) {
      return delaySeconds(bucket);
    }
  }
  return 0;
}

function toReason(key: ReasonKey): Omit<LogReportReason, "count"> {
  if ("delivery" in key) {
    const [reason, advice] = [deliveryText(key.delivery), say("record.advice.undelivered")];
    return { statusCode: null, statusName: key.delivery, reason, advice };
  }
  const { operation, code: statusCode, fault, outcome } = key;
  const answer = JSON.stringify({ ...(fault === null ? {} : { fault }), statusCode, outcome });
  const { statusName, statusMessage, advice } = readStoredAnswer({
    operation: operation ?? "",
    transferId: null,
    answer,
  });
  return {
    statusCode,
    statusName: statusName ?? null,
    reason: statusMessage ?? say(`record.outcome.${outcome as Outcome}`),
    advice: advice ?? null,
  };
}
