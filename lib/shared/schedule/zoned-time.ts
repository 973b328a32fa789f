export interface WallClock {
  /** From 1000 on. */
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

export interface WallTime extends WallClock {
  /** 1 (Monday) to 7. */
  readonly weekday: number;
}

const SECOND = 1000;
const DAY = 86_400_000;
/** Ms, more than any offset from UTC. */
const MAX_OFFSET = 16 * 3_600_000;
/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = 4;
/** A formatter is slow to make, and users can type many wrong names. */
const MAX_FORMATTERS = 1000;

const formatters = new Map<string, Intl.DateTimeFormat>();

function getFormatter(zone: string): Intl.DateTimeFormat {
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
  if (formatters.size >= MAX_FORMATTERS) {
    formatters.clear();
  }
  formatters.set(zone, made);
  return made;
}

function localTime(at: number, zone: string): number {
  const parts = getFormatter(zone).formatToParts(at);
  const shown = (wanted: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find(({ type }) => type === wanted)?.value);
  // Some engines call midnight 24.
  const hour = shown("hour") % 24;
  return Date.UTC(shown("year"), shown("month") - 1, shown("day"), hour, shown("minute"), shown("second"));
}

export const offsetAt = (at: number, zone: string): number =>
  localTime(at, zone) - Math.floor(at / SECOND) * SECOND;

/** Refuses offsets such as `+01:00`, which have no DST. */
export function isZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) {
    return false;
  }
  try {
    getFormatter(name);
    return true;
  } catch {
    return false;
  }
}

/** UTC if the system zone has no name. */
export function systemZone(): string {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined;
  return zone !== undefined && isZone(zone) ? zone : "UTC";
}

export function wallTime(at: number, zone: string): WallTime {
  const local = localTime(at, zone);
  const date = new Date(local);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    weekday: getWeekday(local),
  };
}

/** yyyy-mm-dd. */
export function dateOf(at: number, zone: string): string {
  const { year, month, day } = wallTime(at, zone);
  return [year, month, day].map((each) => String(each).padStart(2, "0")).join("-");
}

function getWeekday(local: number): number {
  const days = Math.floor(local / DAY) + FIRST_WEEKDAY - 1;
  return (((days % 7) + 7) % 7) + 1;
}

/**
 * Returns the first moment of a wall time, or the end of a gap. Larger values run over. @throws RangeError for an unknown
 * zone
 */
export function instantOf({ year, month, day, hour, minute }: WallClock, zone: string): number {
  const local = Date.UTC(year, month - 1, day, hour, minute);
  const before = offsetAt(local - MAX_OFFSET, zone);
  const after = offsetAt(local + MAX_OFFSET, zone);
  // The larger offset is earlier.
  const early = local - Math.max(before, after);
  const late = local - Math.min(before, after);
  for (const at of early === late ? [early] : [early, late]) {
    if (at + offsetAt(at, zone) === local) {
      return at;
    }
  }
  return clockChange(early, late, zone) ?? early;
}

/** Returns the first second with another offset, within a month. @throws RangeError for an unknown zone */
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
