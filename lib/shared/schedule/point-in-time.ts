import { isInstant } from "../instant";

const AGO = /^(\d{1,6})\s*(m|h|d)$/;
const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DIGITS = /^\d+$/;

/** Epoch ms from 1973 to 2286, which excludes seconds. */
const EARLIEST = 1e11;
const LATEST = 1e13;

/** Returns null for an unlikely time. */
export const inRange = (at: number): number | null => (at >= EARLIEST && at < LATEST ? Math.floor(at) : null);

/**
 * Reads dates, epoch ms, ISO 8601 with a zone, or an age such as `90m` or `7d`.
 * @returns epoch ms, or null for anything else
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
