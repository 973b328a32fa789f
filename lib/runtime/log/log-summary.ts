import { SHOWN_OUTCOMES, type ShownOutcome } from "../../shared/outcomes";
import type { HistoryCount } from "../../store/history/history";
import { instantOf } from "../store/history/message-record";

/** Words for what has no outcome yet, and for what no report has come of. */
const OPEN = "open";
const NO_REPORT = "none";

export interface LogSummaryRow {
  readonly channel: string;
  /** `skipped`: a rule kept it back. */
  readonly outcome: ShownOutcome | typeof OPEN;
  /** A status of the service in lower case, or `none`. */
  readonly delivery: string;
  readonly count: number;
}

/** Messages of a period, counted by outcome and delivery: each recipient is one. Part of the message contract. */
export interface LogSummary {
  /** ISO 8601 in UTC; null where the period has no beginning. */
  readonly from: string | null;
  readonly to: string;
  readonly messages: number;
  /** Each outcome and `open`, also those that are 0. */
  readonly byOutcome: Readonly<Record<ShownOutcome | typeof OPEN, number>>;
  /** Each status that occurs, and `none`. */
  readonly byDelivery: Readonly<Record<string, number>>;
  /** Each combination that occurs, by channel, then in the order of the outcomes, then the most frequent first. */
  readonly rows: readonly LogSummaryRow[];
}

const ORDER: readonly string[] = [...SHOWN_OUTCOMES, OPEN];

/** @param from epoch ms; 0 for no beginning @param to epoch ms */
export function summaryOf(counts: readonly HistoryCount[], from: number, to: number): LogSummary {
  const rows = counts.map(
    ({ channel, outcome, delivery, count }): LogSummaryRow => ({
      channel,
      outcome: outcome ?? OPEN,
      delivery: delivery ?? NO_REPORT,
      count,
    }),
  );
  const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  rows.sort(
    (a, b) =>
      compareTexts(a.channel, b.channel) ||
      ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome) ||
      b.count - a.count ||
      compareTexts(a.delivery, b.delivery),
  );
  const byOutcome = Object.fromEntries(ORDER.map((outcome) => [outcome, 0])) as Record<
    LogSummaryRow["outcome"],
    number
  >;
  // Words of the service are keys here, so no name that objects have by themselves may be special.
  const byDelivery = new Map([[NO_REPORT, 0]]);
  let messages = 0;
  for (const { outcome, delivery, count } of rows) {
    messages += count;
    byOutcome[outcome] += count;
    byDelivery.set(delivery, (byDelivery.get(delivery) ?? 0) + count);
  }
  return {
    from: from === 0 ? null : instantOf(from),
    to: instantOf(to),
    messages,
    byOutcome,
    byDelivery: Object.fromEntries(byDelivery),
    rows,
  };
}
