import type { ReportFault, ReportQuery } from "../../shared/history/report";
import { instantOf, wallTime } from "../../shared/schedule/zoned-time";
import { isTooLong } from "./count-report";

export class NoPeriod extends Error {
  constructor(readonly fault: ReportFault) {
    super(fault);
  }
}

/** Returns epoch ms from the first midnight to the one after the last day, or to now. @throws NoPeriod */
export function reportPeriod(
  { period, from, to, step }: Pick<ReportQuery, "period" | "from" | "to" | "step">,
  zone: string,
  now: number,
): { readonly from: number; readonly to: number } {
  const { year, month, day, weekday } = wallTime(now, zone);
  const midnight = (dayOf: number, monthOf = month): number =>
    instantOf({ year, month: monthOf, day: dayOf, hour: 0, minute: 0 }, zone);
  const times = (): readonly [from: number, to: number] => {
    switch (period) {
      case "today":
        return [midnight(day), now];
      case "7-days":
        return [midnight(day - 6), now];
      case "30-days":
        return [midnight(day - 29), now];
      case "last-week":
        return [midnight(day - weekday - 6), midnight(day - weekday + 1)];
      case "month":
        return [midnight(1), now];
      case "last-month":
        return [midnight(1, month - 1), midnight(1)];
      case "between":
        return [getMidnight(from, 0, zone), Math.min(getMidnight(to, 1, zone), now)];
    }
  };
  const [begin, end] = times();
  if (!(begin < end)) {
    throw new NoPeriod("period");
  }
  if (isTooLong(begin, end, step)) {
    throw new NoPeriod(`too-long-${step}`);
  }
  return { from: begin, to: end };
}

/** Returns the midnight `days` after a date of the form yyyy-mm-dd; NaN without a date. */
function getMidnight(date: string | undefined, days: number, zone: string): number {
  const [year = 0, month = 0, day = 0] = (date ?? "").split("-").map(Number);
  return year === 0 ? Number.NaN : instantOf({ year, month, day: day + days, hour: 0, minute: 0 }, zone);
}
