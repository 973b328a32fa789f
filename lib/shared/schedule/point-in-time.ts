import { isInstant } from "../instant";

/** How long ago: minutes, hours or days. */
const AGO = /^(\d{1,6})\s*(m|h|d)$/;
const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DIGITS = /^\d+$/;

/** Epoch ms from 1973 to 2286. Seconds, and most numbers that are no time, lie outside. */
const EARLIEST = 1e11;
const LATEST = 1e13;

/** Whole epoch ms; null where it is no likely time. */
export const inRange = (at: number): number | null => (at >= EARLIEST && at < LATEST ? Math.floor(at) : null);

/**
 * Reads a point in time: a date, epoch ms as number or text, ISO 8601 with a zone, or how long ago it was, such as `90m`, `24h` or
 * `7d`.
 * @param now epoch ms
 * @returns epoch ms; null for anything else, such as a text without a zone, which means another time elsewhere
 */
export function readPointInTime(value: unknown, now: number): number | null {
  if (typeof value === "number") {
    return inRange(value);
  }
  if (value instanceof Date) {
    return inRange(value.getTime());
  }
  if (typeof value !== "string") {
    return null;
  }
  const text = value.trim();
  const [, count, unit] = AGO.exec(text) ?? [];
  if (count !== undefined) {
    return Math.max(0, now - Number(count) * UNITS[unit as keyof typeof UNITS]);
  }
  if (DIGITS.test(text)) {
    return inRange(Number(text));
  }
  return isInstant(text) ? inRange(Date.parse(text)) : null;
}
