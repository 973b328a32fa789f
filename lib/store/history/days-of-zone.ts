import { instantOf, wallTime } from "../../shared/schedule/zoned-time";

/** A day of a time zone, and the part of it in a period. Epoch ms. */
export interface ReportDay {
  readonly starts: number;
  readonly ends: number;
  readonly from: number;
  readonly to: number;
}

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

export type ReportStep = "day" | "hour";

/** Hours are those since midnight, also where clocks change. */
export const stepMs = ({ starts, ends }: ReportDay, step: ReportStep): number =>
  step === "hour" ? 3_600_000 : ends - starts;

/** The starts of the steps of a day that a period has a part of. */
export function* startsOf(day: ReportDay, step: ReportStep): Generator<number, void, undefined> {
  const length = stepMs(day, step);
  const skipped = Math.floor((day.from - day.starts) / length);
  for (let at = day.starts + skipped * length; at < day.to; at += length) {
    yield at;
  }
}
