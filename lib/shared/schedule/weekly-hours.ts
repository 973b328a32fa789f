import { clockChange, wallTime } from "./zoned-time";

export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;
const TIME_OF_DAY = /^([01]?\d|2[0-4])[:.]([0-5]\d)$/;

export interface WeeklyPeriod {
  /** From 1 (Monday) to 7, at least one. */
  readonly days: readonly number[];
  /** Minutes after midnight, 0 to 1439. */
  readonly from: number;
  /** Minutes after midnight, 1 to 1440. Before `from`: the next day. */
  readonly to: number;
}

export interface TypedPeriod {
  readonly days: string;
  readonly from: string;
  readonly to: string;
}

/** `empty`: the end equals the start. */
export type PeriodFault = "no-day" | "day" | "from" | "to" | "empty";

export type ReadPeriod =
  | { readonly ok: true; readonly period: WeeklyPeriod }
  | { readonly ok: false; readonly fault: PeriodFault; readonly value: string };

export function readTimeOfDay(text: string): number | null {
  const [, hour, minute] = TIME_OF_DAY.exec(text.trim()) ?? [];
  const minutes = Number(hour) * 60 + Number(minute);
  return minutes <= DAY_MINUTES ? minutes : null;
}

/** From 0:00 to 0:00 is the whole day. */
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

/** Wall-clock hours: DST skips or repeats some. Hours over midnight belong to the day of their start. */
export class WeeklyHours {
  /** A flag for each minute of the week. */
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
    return this.#week[getMinuteOfWeek(at, zone)] === 1;
  }

  /** Returns `now` inside the hours, otherwise their start. @throws RangeError for an unknown zone */
  opensAt(now: number, zone: string): number {
    return this.#next(1, now, zone);
  }

  /** Returns `now` outside the hours, or Infinity without an end. */
  closesAt(now: number, zone: string): number {
    return this.#next(0, now, zone);
  }

  /** Between clock changes, wall minutes equal real minutes. */
  #next(state: 0 | 1, now: number, zone: string): number {
    for (let at = now; ; ) {
      const minutes = this.#minutesUntil(state, getMinuteOfWeek(at, zone));
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

function getMinuteOfWeek(at: number, zone: string): number {
  const { weekday, hour, minute } = wallTime(at, zone);
  return (weekday - 1) * DAY_MINUTES + hour * 60 + minute;
}
