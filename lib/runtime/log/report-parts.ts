import { instantOf, wallTime } from "../../shared/schedule/zoned-time";
import type { Engine } from "../../store/engine/engine";
import {
  firstTaken,
  optOutTimes,
  type ReportCounts,
  type ReportDay,
  reportCounts,
} from "../../store/history/report-counts";

/** A day of a report with what was counted of it, and the epoch ms at which people opted out. */
export interface ReportPart {
  readonly day: ReportDay;
  readonly counts: ReportCounts;
  readonly optedOut: readonly number[];
}

/** Opt-outs of a period that are counted. */
const MOST_OPT_OUTS = 100_000;

/** The days of a zone that a period has a part of. Epoch ms. */
export function daysOf(from: number, to: number, zone: string): readonly ReportDay[] {
  const days: ReportDay[] = [];
  const { year, month, day } = wallTime(from, zone);
  const midnight = (at: number): number =>
    instantOf({ year, month, day: day + at, hour: 0, minute: 0 }, zone);
  for (let at = 0, starts = midnight(0); starts < to; at++) {
    const ends = midnight(at + 1);
    days.push({ starts, ends, from: Math.max(starts, from), to: Math.min(ends, to) });
    starts = ends;
  }
  return days;
}

/**
 * Counts a period day by day.
 * @param from epoch ms; null for the time of the oldest message @param zone IANA name, whose days are counted @param now epoch ms
 * @throws StoreError (as a rejection)
 */
export async function reportParts(
  engine: Engine,
  account: string,
  from: number | null,
  to: number,
  zone: string,
  now: number,
): Promise<readonly ReportPart[]> {
  const begin = from ?? (await firstTaken(engine, account)) ?? to;
  const days = daysOf(begin, to, zone);
  const [counts, optOuts] = await Promise.all([
    reportCounts(engine, account, days, now),
    optOutTimes(engine, account, { from: begin, to }, MOST_OPT_OUTS),
  ]);
  return days.map((day, at) => ({
    day,
    counts: counts[at] ?? { people: [], delays: [], replies: [] },
    optedOut: optOuts.filter((time) => time >= day.from && time < day.to),
  }));
}
