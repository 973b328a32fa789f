import { readDuration } from "./read-duration";
import { instantOf, systemZone, type WallClock, wallTime } from "./zoned-time";

const SECOND = 1_000;

/** Epoch ms from 1973 to 2286, which excludes seconds. */
const EARLIEST = 1e11;
const LATEST = 1e13;

const DIGITS = /^\d+$/;
const TIME_OF_DAY = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:(?:T|\s+)(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?$/;
const WITH_ZONE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)$/;

const inRange = (at: number): number | null => (at >= EARLIEST && at < LATEST ? Math.floor(at) : null);

function toClock(hour: string, minute: string, second = "0") {
  const clock = { hour: Number(hour), minute: Number(minute), second: Number(second) };
  return clock.hour < 24 && clock.minute < 60 && clock.second < 60 ? clock : null;
}

export const isTimeOfDay = (value: unknown): boolean =>
  typeof value === "string" && TIME_OF_DAY.test(value.trim());

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const at = (wall: WallClock, second: number, zone: string): number => instantOf(wall, zone) + second * SECOND;

function nextTimeOfDay([, hour = "", minute = "", second]: RegExpExecArray, now: number, zone: string) {
  const clock = toClock(hour, minute, second);
  if (clock === null) {
    return null;
  }
  const { year, month, day } = wallTime(now, zone);
  const today = at({ year, month, day, ...clock }, clock.second, zone);
  return today >= now ? today : at({ year, month, day: day + 1, ...clock }, clock.second, zone);
}

function readDate([, ...numbers]: RegExpExecArray, zone: string): number | null {
  const [year = 0, month = 0, day = 0] = numbers.slice(0, 3).map(Number);
  const [hour = "0", minute = "0", second] = numbers.slice(3);
  const clock = toClock(hour, minute, second);
  return clock === null || !isDay(year, month, day)
    ? null
    : inRange(at({ year, month, day, ...clock }, clock.second, zone));
}

/** `Date.parse` moves invalid dates to another day. */
function readZoned([text, local = ""]: RegExpExecArray): number | null {
  const date = DATE.exec(local);
  const parsed = Date.parse(text);
  return date === null || readDate(date, "UTC") === null || Number.isNaN(parsed) ? null : inRange(parsed);
}

function readText(text: string, now: number, zone: string): number | null {
  const duration = readDuration(text);
  if (duration !== null) {
    return now + duration;
  }
  const time = TIME_OF_DAY.exec(text);
  if (time !== null) {
    return nextTimeOfDay(time, now, zone);
  }
  const date = DATE.exec(text);
  return date === null ? null : readDate(date, zone);
}

/** Reads epoch ms, a Date, or ISO 8601 with a zone. */
export function readInstant(value: unknown): number | null {
  if (typeof value === "number") {
    return inRange(value);
  }
  // A Date of a function node has another realm.
  if (Object.prototype.toString.call(value) === "[object Date]") {
    return inRange(Date.prototype.getTime.call(value));
  }
  const text = typeof value === "string" ? value.trim() : "";
  const zoned = WITH_ZONE.exec(text);
  return zoned !== null ? readZoned(zoned) : DIGITS.test(text) ? inRange(Number(text)) : null;
}

/**
 * Reads a duration, time, date, ISO 8601, epoch ms or Date, in `zone` if the value has none.
 * @param zone IANA name, or blank for that of the process
 * @returns epoch ms, or null for anything else
 * @throws RangeError for an unknown zone
 */
export function readMoment(value: unknown, now: number, zone: string): number | null {
  const instant = readInstant(value);
  return instant === null && typeof value === "string"
    ? readText(value.trim(), now, zone === "" ? systemZone() : zone)
    : instant;
}
