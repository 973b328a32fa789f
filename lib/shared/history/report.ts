import type { CsvRequest } from "../csv";
import type { ShownOutcome } from "../outcomes";

/** Needs the permission `READ_HISTORY`. */

export type ReportAction = "look" | "export";

export const reportPath = (accountId: string, action: ReportAction): string =>
  `messaging-account/${encodeURIComponent(accountId)}/report/${action}`;

/** In days, including today unless named otherwise. A week begins on Monday. */
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

export interface ReportQuery {
  readonly period: ReportPeriod;
  /** yyyy-mm-dd, only for `between`. */
  readonly from?: string;
  readonly to?: string;
  readonly step: "day" | "hour";
  readonly channel?: string;
  /** Path of the node, if inside a subflow. */
  readonly node?: string;
  readonly outcome?: ShownOutcome;
}

export interface ReportTotals {
  readonly messages: number;
  readonly segments: number;
  /** To the built-in simulator, without cost. */
  readonly simulated: number;
  readonly delivered: number;
  readonly read: number;
  readonly failed: number;
  /** Blocked by a rule. */
  readonly skipped: number;
}

export interface ReportStep extends ReportTotals {
  /** ISO 8601 in UTC. */
  readonly from: string;
  readonly replies: number;
  readonly optOuts: number;
}

export interface ReportReason {
  readonly statusCode: number | null;
  readonly statusName: string | null;
  readonly reason: string;
  readonly advice: string | null;
  readonly count: number;
}

export interface ReportNode extends ReportTotals {
  readonly node: string;
}

/** Messages with the same channel, outcome (or `open`) and status (or `none`). */
export interface ReportRow {
  readonly channel: string;
  readonly outcome: ShownOutcome | "open";
  readonly delivery: string;
  readonly count: number;
}

export interface Report extends ReportTotals {
  /** ISO 8601 in UTC, without the end. */
  readonly from: string | null;
  readonly to: string;
  readonly replies: number;
  readonly optOuts: number;
  readonly deliverySeconds: { readonly median: number; readonly p95: number } | null;
  /** At most ten, the most frequent first. */
  readonly reasons: readonly ReportReason[];
  /** Most messages first. */
  readonly nodes: readonly ReportNode[];
  /** Oldest first, without gaps. */
  readonly steps: readonly ReportStep[];
  readonly rows: readonly ReportRow[];
}

export interface ReportView {
  readonly report: Report;
  /** IANA name of the account's time zone. */
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

export const REPORT_COLUMNS = {
  steps: ["from", ...REPORT_TOTALS, "replies", "optOuts"],
  rows: ["channel", "outcome", "delivery", "count"],
  reasons: ["reason", "count", "advice", "statusCode", "statusName"],
  nodes: ["node", ...REPORT_TOTALS, "nodeId"],
} as const;
export type ReportTable = keyof typeof REPORT_COLUMNS;
export const REPORT_TABLES = Object.keys(REPORT_COLUMNS) as readonly ReportTable[];

export interface ReportExport {
  readonly query: ReportQuery;
  readonly table: ReportTable;
  readonly csv: CsvRequest;
}

/** The period is invalid or has too many days, or too many for hours. */
export type ReportFault = "period" | "too-long-day" | "too-long-hour";
