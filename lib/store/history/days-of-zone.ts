import { instantOf, wallTime } from "../../shared/schedule/zoned-time";
import type { ReportDay } from "./report-counts";

/** The days of a zone that a period has a part of, in order. Epoch ms. */
export function* daysOf(from: number, to: number, zone: string): Generator<ReportDay, void, undefined> {
  const { year, month, day } = wallTime(from, zone);
  const midnight = (at: number): number =>
    instantOf({ year, month, day: day + at, hour: 0, minute: 0 }, zone);
  for (let at = 0, starts = midnight(0); starts < to; at++) {
    const ends = midnight(at + 1);
    // Of a day that a zone has left out nothing is there.
    if (ends > starts) {
      yield { starts, ends, from: Math.max(starts, from), to: Math.min(ends, to) };
    }
    starts = ends;
  }
}

/** The whole day of a moment (epoch ms). */
export function dayOf(at: number, zone: string): ReportDay {
  const { value } = daysOf(at, at + 1, zone).next();
  const { starts, ends } = value ?? { starts: at, ends: at + 1 };
  return { starts, ends, from: starts, to: ends };
}
