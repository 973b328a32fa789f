/** What a clock on the wall shows, to the minute. */
export interface WallClock {
  /** From 1000 on. */
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
  /** 0 to 23. */
  readonly hour: number;
  /** 0 to 59. */
  readonly minute: number;
}

/** What clock and calendar on the wall show. */
export interface WallTime extends WallClock {
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number;
}

const SECOND = 1000;
const DAY = 86_400_000;
/** More than any zone has ever been away from UTC. */
const FARTHEST = 16 * 3_600_000;
/** 1 January 1970 was the fourth day of its week. */
const FIRST_WEEKDAY = 4;
/** Formatters are slow to make, and people can type thousands of wrong names. */
const MOST_FORMATTERS = 1000;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) {
    return known;
  }
  const made = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  if (formatters.size >= MOST_FORMATTERS) {
    formatters.clear();
  }
  formatters.set(zone, made);
  return made;
}

/** The time on the wall as if it were UTC, to the second. */
function localTime(at: number, zone: string): number {
  const parts = formatterOf(zone).formatToParts(at);
  const shown = (wanted: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find(({ type }) => type === wanted)?.value);
  // Some engines call midnight 24, still on the day that begins with it.
  const hour = shown("hour") % 24;
  return Date.UTC(shown("year"), shown("month") - 1, shown("day"), hour, shown("minute"), shown("second"));
}

/** ms that the clocks of a zone are ahead of UTC. */
export const offsetAt = (at: number, zone: string): number =>
  localTime(at, zone) - Math.floor(at / SECOND) * SECOND;

/** Whether the runtime knows a time zone, such as `Europe/Zurich` or `UTC`. Offsets such as `+01:00` are none: they have no DST. */
export function isZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) {
    return false;
  }
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The time zone of the process or browser; UTC where it has none with a name. */
export function systemZone(): string {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined;
  return zone !== undefined && isZone(zone) ? zone : "UTC";
}

/**
 * What a clock in a time zone shows.
 * @param at epoch ms
 * @param zone IANA name
 * @throws RangeError where there is no such zone or time
 */
export function wallTime(at: number, zone: string): WallTime {
  const local = localTime(at, zone);
  const date = new Date(local);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    weekday: weekdayOf(local),
  };
}

/** The date of a moment (epoch ms) in a time zone, as yyyy-mm-dd. */
export function dateOf(at: number, zone: string): string {
  const { year, month, day } = wallTime(at, zone);
  return [year, month, day].map((each) => String(each).padStart(2, "0")).join("-");
}

function weekdayOf(local: number): number {
  const days = Math.floor(local / DAY) + FIRST_WEEKDAY - 1;
  return (((days % 7) + 7) % 7) + 1;
}

/**
 * When the clock in a time zone shows a time. A time that the zone skips, as when DST begins, is the first moment after the gap; of
 * one that is there twice it is the first.
 * @param wall larger values run over: hour 24 is the next day's 0, day 32 of a month of 31 days is the first of the next one
 * @param zone IANA name
 * @returns epoch ms
 * @throws RangeError where there is no such zone or time
 */
export function instantOf({ year, month, day, hour, minute }: WallClock, zone: string): number {
  const local = Date.UTC(year, month - 1, day, hour, minute);
  const before = offsetAt(local - FARTHEST, zone);
  const after = offsetAt(local + FARTHEST, zone);
  // The larger offset is the earlier moment.
  const early = local - Math.max(before, after);
  const late = local - Math.min(before, after);
  for (const at of early === late ? [early] : [early, late]) {
    if (at + offsetAt(at, zone) === local) {
      return at;
    }
  }
  return clockChange(early, late, zone) ?? early;
}

/**
 * When the clocks of a time zone jump between two moments, which have to be less than a month apart.
 * @param from epoch ms
 * @param to epoch ms, later than `from`
 * @param zone IANA name
 * @returns epoch ms, the first whole second with another offset from UTC; null where both have the same
 * @throws RangeError where there is no such zone or time
 */
export function clockChange(from: number, to: number, zone: string): number | null {
  const offset = offsetAt(from, zone);
  if (offsetAt(to, zone) === offset) {
    return null;
  }
  let low = Math.floor(from / SECOND);
  let high = Math.floor(to / SECOND);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * SECOND, zone) === offset) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return high * SECOND;
}
