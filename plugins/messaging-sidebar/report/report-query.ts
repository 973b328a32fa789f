import type {
  ReportPeriod,
  ReportQuery,
  ReportTable,
  ReportTotals,
  ReportView,
} from "../../../lib/shared/history/report";
import type { ShownOutcome } from "../../../lib/shared/outcomes";
import { dateOf } from "../../../lib/shared/schedule/zoned-time";

/** The values of the form; blank stands for any. */
export interface ReportForm {
  readonly period: ReportPeriod;
  /** For `between`: days as an input of type `date` gives them. */
  readonly from: string;
  readonly to: string;
  readonly step: "day" | "hour";
  readonly channel: string;
  readonly outcome: ShownOutcome | "";
  readonly node: string;
}

/** @returns null while the first or the last day is not chosen */
export function toReportQuery({ period, from, to, step, ...filters }: ReportForm): ReportQuery | null {
  const days = period === "between" ? { from, to } : {};
  if (period === "between" && (from === "" || to === "")) {
    return null;
  }
  const wanted = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
  return { period, ...days, step, ...wanted };
}

/** Neither known to have arrived nor to have failed, nor kept back. */
export const countOpen = ({ messages, delivered, failed, skipped }: ReportTotals): number =>
  Math.max(0, messages - delivered - failed - skipped);

/** A part in per cent with one decimal, which is 0 and 100 only where nothing and all are; null of nothing. */
export function toPercent(part: number, whole: number): number | null {
  if (whole === 0) {
    return null;
  }
  const percent = Math.round((part / whole) * 1_000) / 10;
  if (part > 0 && percent === 0) {
    return 0.1;
  }
  return part < whole && percent === 100 ? 99.9 : percent;
}

/** @param account its label @param view whose first and last day it names, in the zone of the account */
export function getFileName(account: string, table: ReportTable, { report, zone }: ReportView): string {
  const [from, to] = [Date.parse(report.from ?? report.to), Date.parse(report.to) - 1];
  const days = new Set([dateOf(from, zone), dateOf(Math.max(from, to), zone)]);
  return `${["report", table, account, ...days].join("-")}.csv`;
}

/** Pixels up from the ground at which a number stands in a chart. */
export const toHeight = (value: number, most: number, height: number): number =>
  most === 0 ? 0 : (value / most) * height;
