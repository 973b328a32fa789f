import type { DayCounts, HourCount, ReportCount, ReportDelay } from "./report-counts";

/** Rows without the names of their columns, which would be most of what is kept. */
interface Packed {
  readonly people: readonly (readonly [
    ...(readonly [
      number,
      string,
      string,
      ReportCount["outcome"],
      string | null,
      number | null,
      string | null,
    ]),
    ...(readonly [delivery: string | null, count: number, segments: number]),
  ])[];
  readonly delays: readonly (readonly [
    string,
    string,
    ReportCount["outcome"],
    bucket: number,
    count: number,
  ])[];
  readonly replies: readonly (readonly [hour: number, count: number])[];
}

/** Counts of a day as the store keeps them. */
export function writeCounts({ people, delays, replies }: DayCounts): string {
  const packed: Packed = {
    people: people.map(
      ({ hour, node, channel, outcome, operation, code, fault, delivery, count, segments }) =>
        [hour, node, channel, outcome, operation, code, fault, delivery, count, segments] as const,
    ),
    delays: delays.map(
      ({ node, channel, outcome, bucket, count }) => [node, channel, outcome, bucket, count] as const,
    ),
    replies: replies.map(({ hour, count }) => [hour, count] as const),
  };
  return JSON.stringify(packed);
}

export function readCounts(text: string): DayCounts {
  const packed = JSON.parse(text) as Packed;
  return {
    people: packed.people.map(
      ([hour, node, channel, outcome, operation, code, fault, delivery, count, segments]): ReportCount => ({
        hour,
        node,
        channel,
        outcome,
        operation,
        code,
        fault,
        delivery,
        count,
        segments,
      }),
    ),
    delays: packed.delays.map(
      ([node, channel, outcome, bucket, count]): ReportDelay => ({ node, channel, outcome, bucket, count }),
    ),
    replies: packed.replies.map(([hour, count]): HourCount => ({ hour, count })),
  };
}
