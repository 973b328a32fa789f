import { clockChange, wallTime } from "./zoned-time";

/** Days of the week as settings name them, from Monday. */
export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;
const TIME_OF_DAY = /^([01]?\d|2[0-4])[:.]([0-5]\d)$/;

/** Hours that are the same each week, in any time zone. */
export interface WeeklyPeriod {
  /** 1 is Monday, 7 is Sunday; at least one. */
  readonly days: readonly number[];
  /** Minutes after midnight, 0 to 1439. */
  readonly from: number;
  /** Minutes after midnight, 1 to 1440; before `from` the period ends the day after. */
  readonly to: number;
}

/** Weekly hours as somebody typed them. */
export interface TypedPeriod {
  /** `mon` to `sun` with commas between. */
  readonly days: string;
  readonly from: string;
  readonly to: string;
}

/** Why typed hours are none. `empty`: they end when they begin. */
export type PeriodFault = "no-day" | "day" | "from" | "to" | "empty";

export type ReadPeriod =
  | { readonly ok: true; readonly period: WeeklyPeriod }
  | { readonly ok: false; readonly fault: PeriodFault; readonly value: string };

/** Reads a time of day from 0:00 to 24:00. @returns minutes after midnight; null for anything else */
export function readTimeOfDay(text: string): number | null {
  const [, hour, minute] = TIME_OF_DAY.exec(text.trim()) ?? [];
  const minutes = Number(hour) * 60 + Number(minute);
  return minutes <= DAY_MINUTES ? minutes : null;
}

/** Reads weekly hours. From 0:00 to 0:00, or to 24:00, is the whole day. */
export function readPeriod({ days, from, to }: TypedPeriod): ReadPeriod {
  const fault = (kind: PeriodFault, value: string): ReadPeriod => ({ ok: false, fault: kind, value });
  const names = days.toLowerCase().split(/[\s,;]+/);
  const typed = names.filter((name) => name !== "");
  const unknown = typed.find((name) => !DAYS.some((each) => each === name));
  if (unknown !== undefined) {
    return fault("day", unknown);
  }
  if (typed.length === 0) {
    return fault("no-day", days);
  }
  const start = readTimeOfDay(from);
  if (start === null || start === DAY_MINUTES) {
    return fault("from", from);
  }
  const read = readTimeOfDay(to);
  if (read === null) {
    return fault("to", to);
  }
  const end = read === 0 ? DAY_MINUTES : read;
  if (start === end) {
    return fault("empty", to);
  }
  const numbers = DAYS.flatMap((name, at) => (typed.includes(name) ? [at + 1] : []));
  return { ok: true, period: { days: numbers, from: start, to: end } };
}

/**
 * Hours of the week in which something may happen. They are open while a clock on the wall shows one of them: what DST skips is not
 * there, and what it repeats is there twice. Hours over midnight belong to the day on which they begin.
 */
export class WeeklyHours {
  /** For each minute of a week whether it is open. */
  readonly #week = new Uint8Array(WEEK_MINUTES);

  constructor({ days, from, to }: WeeklyPeriod) {
    const length = to > from ? to - from : to - from + DAY_MINUTES;
    for (const day of days) {
      const start = (day - 1) * DAY_MINUTES + from;
      for (let minute = start; minute < start + length; minute++) {
        this.#week[minute % WEEK_MINUTES] = 1;
      }
    }
  }

  isOpen(at: number, zone: string): boolean {
    return this.#week[minuteOfWeek(at, zone)] === 1;
  }

  /**
   * When the hours begin.
   * @param now epoch ms
   * @param zone IANA name
   * @returns `now` where they are open; else epoch ms, at most 8 days later unless a change of the clocks skips the next hours
   * @throws RangeError where there is no such zone or time
   */
  opensAt(now: number, zone: string): number {
    return this.#next(1, now, zone);
  }

  /** When the hours end: `now` where they are closed, else epoch ms; Infinity where they are always open. */
  closesAt(now: number, zone: string): number {
    return this.#next(0, now, zone);
  }

  /** From change to change of the clocks, between which minutes on the wall are as long as minutes. */
  #next(state: 0 | 1, now: number, zone: string): number {
    for (let at = now; ; ) {
      const minutes = this.#minutesUntil(state, minuteOfWeek(at, zone));
      if (minutes === 0 || minutes === Number.POSITIVE_INFINITY) {
        return minutes === 0 ? at : minutes;
      }
      const reached = (Math.floor(at / MINUTE) + minutes) * MINUTE;
      at = clockChange(at, reached, zone) ?? reached;
    }
  }

  #minutesUntil(state: 0 | 1, start: number): number {
    for (let minutes = 0; minutes < WEEK_MINUTES; minutes++) {
      if (this.#week[(start + minutes) % WEEK_MINUTES] === state) {
        return minutes;
      }
    }
    return Number.POSITIVE_INFINITY;
  }
}

function minuteOfWeek(at: number, zone: string): number {
  const { weekday, hour, minute } = wallTime(at, zone);
  return (weekday - 1) * DAY_MINUTES + hour * 60 + minute;
}
