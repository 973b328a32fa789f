import { instantOf, wallTime } from "../../shared/schedule/zoned-time";

/** ms */
const HOUR = 3_600_000;

/** The hour and the day that limits count in. Epoch ms; each ends where the next one starts. */
export interface LimitPeriods {
  readonly hourStarts: number;
  readonly hourEnds: number;
  readonly dayStarts: number;
  readonly dayEnds: number;
}

/** The periods of each zone that were asked for last. */
const latest = new Map<string, LimitPeriods>();

/**
 * The hour and the day of a time zone. A day has 23 or 25 hours where clocks change. Its hours count from its start, so that none of
 * them is there twice; where clocks change by half an hour, the last one of that day has 30 minutes.
 * @param now epoch ms; looks up no calendar while it is in the same hour as the last time
 * @param zone IANA name
 */
export function limitPeriods(now: number, zone: string): LimitPeriods {
  const known = latest.get(zone);
  if (known !== undefined && known.hourStarts <= now && now < known.hourEnds) {
    return known;
  }
  const { year, month, day } = wallTime(now, zone);
  const dayStarts = instantOf({ year, month, day, hour: 0, minute: 0 }, zone);
  const dayEnds = instantOf({ year, month, day: day + 1, hour: 0, minute: 0 }, zone);
  const hourStarts = dayStarts + Math.floor((now - dayStarts) / HOUR) * HOUR;
  const periods = { hourStarts, hourEnds: Math.min(hourStarts + HOUR, dayEnds), dayStarts, dayEnds };
  latest.set(zone, periods);
  return periods;
}
