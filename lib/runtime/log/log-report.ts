import { type Outcome, OUTCOMES, SHOWN_OUTCOMES, type ShownOutcome } from "../../shared/outcomes";
import type { ReportPart } from "./report-parts";
import { readStoredAnswer } from "../../gateway/queue/stored-content";
import { delaySeconds, type ReportCount } from "../../store/history/report-counts";
import { say } from "../../texts/say";
import { deliveryKind, deliveryText, instantOf } from "../store/history/message-record";

/** Words for what has no outcome yet, and for what no report has come of. */
const OPEN = "open";
const NO_REPORT = "none";
/** Reasons that a report names. */
const MOST_REASONS = 10;

export interface LogReportRow {
  readonly channel: string;
  /** `skipped`: a rule kept it back. */
  readonly outcome: ShownOutcome | typeof OPEN;
  /** A status of the service in lower case, or `none`. */
  readonly delivery: string;
  readonly count: number;
}

/** Counts of people, and what the service has billed for them. */
interface Totals {
  readonly messages: number;
  /** Billed messages, for SMS each segment, as far as the service has said how many. */
  readonly segments: number;
  /** Arrived, the read ones too. */
  readonly delivered: number;
  readonly read: number;
  /** Surely did not arrive: not sent, or reported as not delivered. What a rule kept back is none of them. */
  readonly failed: number;
}

/** An hour or a day. */
interface LogReportStep extends Totals {
  readonly from: string;
  readonly replies: number;
  readonly optOuts: number;
}

/** Why messages failed, and what to do. */
interface LogReportReason {
  /** null for what was sent and not delivered. */
  readonly statusCode: number | null;
  readonly statusName: string | null;
  readonly reason: string;
  readonly advice: string | null;
  readonly count: number;
}

/** What became of the messages of a period: each recipient is one. Times are ISO 8601 in UTC. Part of the message contract. */
export interface LogReport extends Totals {
  /** null where the period has no beginning. */
  readonly from: string | null;
  readonly to: string;
  /** Messages that people wrote, and entries in the list of opt-outs, of the whole account. */
  readonly replies: number;
  readonly optOuts: number;
  /** Time from sending to delivery of those that were delivered and are not read yet; null for none. */
  readonly deliverySeconds: { readonly median: number; readonly p95: number } | null;
  /** Each outcome and `open`, also those that are 0. */
  readonly byOutcome: Readonly<Record<ShownOutcome | typeof OPEN, number>>;
  /** Each status that occurs, and `none`. */
  readonly byDelivery: Readonly<Record<string, number>>;
  /** The most frequent reasons, ten at most. */
  readonly reasons: readonly LogReportReason[];
  /** By send node, the one with most messages first. */
  readonly nodes: readonly (Totals & { readonly node: string })[];
  /** Each hour or day of the period, oldest first. */
  readonly steps: readonly LogReportStep[];
  /** Each combination that occurs, by channel, then in the order of the outcomes, then the most frequent first. */
  readonly rows: readonly LogReportRow[];
}

/** What of the counts is wanted, and how it is put. */
export interface ReportQuestion {
  /** Epoch ms; null for no beginning. */
  readonly from: number | null;
  readonly to: number;
  readonly step: "day" | "hour";
  readonly node?: string | undefined;
  readonly channel?: string | undefined;
  readonly outcome?: ShownOutcome | undefined;
}

const ORDER: readonly string[] = [...SHOWN_OUTCOMES, OPEN];
const HOUR = 3_600_000;

/** Sums that are still being made. */
class Sum implements Totals {
  messages = 0;
  segments = 0;
  delivered = 0;
  read = 0;
  failed = 0;

  add(count: ReportCount): void {
    const kind = count.delivery === null ? null : deliveryKind(count.delivery);
    this.messages += count.count;
    this.segments += count.segments;
    this.delivered += kind === "delivered" || kind === "read" ? count.count : 0;
    this.read += kind === "read" ? count.count : 0;
    this.failed += isFailed(count) ? count.count : 0;
  }

  get totals(): Totals {
    const { messages, segments, delivered, read, failed } = this;
    return { messages, segments, delivered, read, failed };
  }
}

/** What a report says counts more than the answer did. */
function isFailed({ outcome, delivery }: ReportCount): boolean {
  const kind = delivery === null ? null : deliveryKind(delivery);
  const isRefused =
    outcome !== null && outcome !== "skipped" && outcome !== "unknown" && OUTCOMES[outcome].failure;
  return kind === "failed" || (isRefused && kind === null);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Adds counts by a key. Words of the service are keys here, so no name that objects have by themselves may be special. */
function addTo<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Makes a report of what was counted. @param parts the days in order, each with its counts and the epoch ms of its opt-outs */
export function reportOf(
  parts: readonly ReportPart[],
  { from, to, step, node, channel, outcome }: ReportQuestion,
): LogReport {
  const all = new Sum();
  const nodes = new Map<string, Sum>();
  const byDelivery = new Map([[NO_REPORT, 0]]);
  const byOutcome = Object.fromEntries(ORDER.map((each) => [each, 0])) as Record<
    LogReportRow["outcome"],
    number
  >;
  const rows = new Map<string, number>();
  const reasons = new Map<string, number>();
  const delays = new Map<number, number>();
  const steps: LogReportStep[] = [];
  let [replies, optOuts] = [0, 0];
  const isWanted = (count: Pick<ReportCount, "node" | "channel">): boolean =>
    (node === undefined || count.node === node) && (channel === undefined || count.channel === channel);
  for (const { day, counts, optedOut } of parts) {
    const people = counts.people.filter(
      (count) => isWanted(count) && (outcome === undefined || count.outcome === outcome),
    );
    for (const count of people) {
      all.add(count);
      const ofNode = nodes.get(count.node) ?? new Sum();
      nodes.set(count.node, ofNode);
      ofNode.add(count);
      const ended: LogReportRow["outcome"] = count.outcome ?? OPEN;
      const delivery = count.delivery ?? NO_REPORT;
      byOutcome[ended] += count.count;
      addTo(byDelivery, delivery, count.count);
      addTo(rows, JSON.stringify([count.channel, ended, delivery]), count.count);
      if (isFailed(count)) {
        addTo(reasons, reasonKey(count), count.count);
      }
    }
    for (const { bucket, count } of counts.delays.filter(isWanted)) {
      addTo(delays, bucket, count);
    }
    for (const part of stepsOf(day, step)) {
      const sum = new Sum();
      const isIn = ({ hour }: { readonly hour: number }): boolean => part.isIn(hour);
      for (const count of people.filter(isIn)) {
        sum.add(count);
      }
      const wrote = counts.replies.filter(isIn).reduce((total, { count }) => total + count, 0);
      const left = optedOut.filter((at) => part.isIn(Math.floor((at - day.starts) / HOUR))).length;
      replies += wrote;
      optOuts += left;
      steps.push({ from: instantOf(part.from), ...sum.totals, replies: wrote, optOuts: left });
    }
  }
  return {
    from: from === null ? null : instantOf(from),
    to: instantOf(to),
    ...all.totals,
    replies,
    optOuts,
    deliverySeconds:
      delays.size === 0 ? null : { median: quantile(delays, 0.5), p95: quantile(delays, 0.95) },
    byOutcome,
    byDelivery: Object.fromEntries(byDelivery),
    reasons: [...reasons]
      .sort(([a, one], [b, other]) => other - one || compareTexts(a, b))
      .slice(0, MOST_REASONS)
      .map(([key, count]) => ({ ...reasonOf(JSON.parse(key) as ReasonKey), count })),
    nodes: [...nodes]
      .map(([id, sum]) => ({ node: id, ...sum.totals }))
      .sort((a, b) => b.messages - a.messages || compareTexts(a.node, b.node)),
    steps,
    rows: rowsOf(rows),
  };
}

function rowsOf(counts: ReadonlyMap<string, number>): readonly LogReportRow[] {
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

/** The hours of a day, or all of it, as far as they are asked for. */
function stepsOf(
  { starts, from, to }: ReportPart["day"],
  step: ReportQuestion["step"],
): readonly { readonly from: number; readonly isIn: (hour: number) => boolean }[] {
  if (step === "day") {
    return [{ from: Math.max(starts, from), isIn: () => true }];
  }
  const first = Math.floor((from - starts) / HOUR);
  const last = Math.ceil((to - starts) / HOUR) - 1;
  return Array.from({ length: last - first + 1 }, (_unused, at) => ({
    from: Math.max(from, starts + (first + at) * HOUR),
    isIn: (hour: number) => hour === first + at,
  }));
}

/** Seconds below or at which this share lies. */
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

/** What failures have in common: a status that was reported, or an operation with its code, fault and outcome. */
type ReasonKey =
  | { readonly delivery: string }
  | Pick<ReportCount, "operation" | "code" | "fault" | "outcome">;

function reasonKey({ delivery, operation, code, fault, outcome }: ReportCount): string {
  const isReported = delivery !== null && deliveryKind(delivery) === "failed";
  // The same code means the same in operations of a style mostly; where it does not, they are two reasons.
  return JSON.stringify(isReported ? { delivery } : { operation, code, fault, outcome });
}

function reasonOf(key: ReasonKey): Omit<LogReportReason, "count"> {
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
