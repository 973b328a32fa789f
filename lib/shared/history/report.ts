import type { CsvRequest } from "../csv";
import type { ShownOutcome } from "../outcomes";

/** What travels between the report in the sidebar and the runtime. Reading it takes the permission `READ_HISTORY`. */

export type ReportAction = "look" | "export";

/** Below the admin root. */
export const reportPath = (accountId: string, action: ReportAction): string =>
  `messaging-account/${encodeURIComponent(accountId)}/report/${action}`;

/** Periods that can be chosen: of days, with today where it says nothing else. A week begins on Monday. */
export const REPORT_PERIODS = [
  "today",
  "7-days",
  "30-days",
  "last-week",
  "month",
  "last-month",
  "between",
] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

/** What is asked for. Days are those of the account's time zone. */
export interface ReportQuery {
  readonly period: ReportPeriod;
  /** Of `between`: the first and the last day, as yyyy-mm-dd. */
  readonly from?: string;
  readonly to?: string;
  readonly step: "day" | "hour";
  /** As records have it. */
  readonly channel?: string;
  /** Id of the node; of one inside a subflow its path. */
  readonly node?: string;
  readonly outcome?: ShownOutcome;
}

/** Numbers of people, and the billed messages of them. */
export interface ReportTotals {
  readonly messages: number;
  readonly segments: number;
  /** Messages to the built-in simulator, which are not billed. */
  readonly simulated: number;
  /** With those who have read it. */
  readonly delivered: number;
  readonly read: number;
  readonly failed: number;
  /** A rule kept it back. */
  readonly skipped: number;
}

/** A day or an hour. */
export interface ReportStep extends ReportTotals {
  /** ISO 8601 in UTC. */
  readonly from: string;
  readonly replies: number;
  readonly optOuts: number;
}

/** Why messages failed, in the language of the reader. */
export interface ReportReason {
  readonly statusCode: number | null;
  readonly statusName: string | null;
  readonly reason: string;
  readonly advice: string | null;
  readonly count: number;
}

/** Messages of a send node. */
export interface ReportNode extends ReportTotals {
  readonly node: string;
}

/** Messages with the same channel, outcome (`open` without one) and status (`none` without one). */
export interface ReportRow {
  readonly channel: string;
  readonly outcome: ShownOutcome | "open";
  readonly delivery: string;
  readonly count: number;
}

/** What the report of an account shows. */
export interface Report extends ReportTotals {
  /** ISO 8601 in UTC; the end does not belong to it. */
  readonly from: string | null;
  readonly to: string;
  readonly replies: number;
  readonly optOuts: number;
  readonly deliverySeconds: { readonly median: number; readonly p95: number } | null;
  /** Ten at most, the most frequent first. */
  readonly reasons: readonly ReportReason[];
  /** Most messages first. */
  readonly nodes: readonly ReportNode[];
  /** Oldest first, without a gap. */
  readonly steps: readonly ReportStep[];
  readonly rows: readonly ReportRow[];
}

/** Answer to `look` with a `query`. */
export interface ReportView {
  readonly report: Report;
  /** IANA name of the account's time zone, whose days and hours these are. */
  readonly zone: string;
}

export const REPORT_TOTALS = [
  "messages",
  "segments",
  "simulated",
  "delivered",
  "read",
  "failed",
  "skipped",
] as const satisfies readonly (keyof ReportTotals)[];

/** The tables of a report that can be saved, and their columns. */
export const REPORT_COLUMNS = {
  steps: ["from", ...REPORT_TOTALS, "replies", "optOuts"],
  rows: ["channel", "outcome", "delivery", "count"],
  reasons: ["reason", "count", "advice", "statusCode", "statusName"],
  nodes: ["node", ...REPORT_TOTALS, "nodeId"],
} as const;
export type ReportTable = keyof typeof REPORT_COLUMNS;
export const REPORT_TABLES = Object.keys(REPORT_COLUMNS) as readonly ReportTable[];

/** What `export` takes. */
export interface ReportExport {
  readonly query: ReportQuery;
  readonly table: ReportTable;
  readonly csv: CsvRequest;
}

/** Why there is no report, beside the faults of the history: the last day is before the first one or not yet, or there are too many days, or too many for hours. */
export type ReportFault = "period" | "too-long-day" | "too-long-hour";
