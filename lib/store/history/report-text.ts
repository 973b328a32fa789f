import { COUNT_COLUMNS, type DayCounts, type HourCount, type ReportDelay } from "./report-counts";

/** The parts of what is kept, with the columns of their rows in order: their names would be most of it. */
const COLUMNS = {
  people: COUNT_COLUMNS,
  delays: ["node", "channel", "outcome", "bucket", "count"],
  replies: ["hour", "count"],
} as const satisfies {
  readonly people: typeof COUNT_COLUMNS;
  readonly delays: readonly (keyof ReportDelay)[];
  readonly replies: readonly (keyof HourCount)[];
};
const PARTS = ["people", "delays", "replies"] as const satisfies readonly (keyof DayCounts)[];

type Packed = Readonly<Record<keyof DayCounts, readonly (readonly unknown[])[]>> & {
  readonly open: readonly number[];
};

function pack(part: keyof DayCounts, counts: DayCounts): readonly (readonly unknown[])[] {
  const rows = counts[part] as unknown as readonly Readonly<Record<string, unknown>>[];
  return rows.map((row) => COLUMNS[part].map((column) => row[column]));
}

function unpack(part: keyof DayCounts, packed: Packed): readonly unknown[] {
  const columns = COLUMNS[part];
  return packed[part].map((values) => {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < columns.length; at++) {
      row[columns[at] ?? ""] = values[at];
    }
    return row;
  });
}

/** Counts of a day as the store keeps them. @param open ids of jobs that are not in them */
export const writeCounts = (counts: DayCounts, open: readonly number[]): string =>
  JSON.stringify({ ...Object.fromEntries(PARTS.map((part) => [part, pack(part, counts)])), open });

export function readCounts(text: string): DayCounts & { readonly open: readonly number[] } {
  const packed = JSON.parse(text) as Packed;
  const counts = Object.fromEntries(PARTS.map((part) => [part, unpack(part, packed)]));
  return { ...(counts as unknown as DayCounts), open: packed.open };
}
