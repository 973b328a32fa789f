import type { DayCounts, ReportCount, ReportDelay } from "./report-counts";

const PEOPLE_COLUMNS = [
  ...(["hour", "node", "channel", "outcome", "operation", "code", "fault", "delivery"] as const),
  ...(["count", "segments"] as const),
] satisfies readonly (keyof ReportCount)[];
const DELAY_COLUMNS = [
  "node",
  "channel",
  "outcome",
  "bucket",
  "count",
] satisfies readonly (keyof ReportDelay)[];
const REPLY_COLUMNS = ["hour", "count"] as const;

/** Rows without the names of their columns, which would be most of what is kept. */
const packed = <Each extends object>(rows: readonly Each[], columns: readonly (keyof Each)[]): unknown[][] =>
  rows.map((row) => columns.map((column) => row[column]));
const unpacked = <Each>(rows: readonly unknown[][], columns: readonly string[]): readonly Each[] =>
  rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])) as Each);

/** Counts of a day as the store keeps them. */
export const writeCounts = ({ people, delays, replies }: DayCounts): string =>
  JSON.stringify({
    people: packed(people, PEOPLE_COLUMNS),
    delays: packed(delays, DELAY_COLUMNS),
    replies: packed(replies, REPLY_COLUMNS),
  });

export function readCounts(text: string): DayCounts {
  const { people, delays, replies } = JSON.parse(text) as Readonly<Record<keyof DayCounts, unknown[][]>>;
  return {
    people: unpacked(people, PEOPLE_COLUMNS),
    delays: unpacked(delays, DELAY_COLUMNS),
    replies: unpacked(replies, REPLY_COLUMNS),
  };
}
