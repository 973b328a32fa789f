import { readInstant } from "./read-moment";

const AGO = /^\s*(\d{1,6})\s*(m|h|d)\s*$/;
const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Reads an instant, or an age such as `90m` or `7d`. */
export function readPointInTime(value: unknown, now: number): number | null {
  const [, count, unit] = typeof value === "string" ? (AGO.exec(value) ?? []) : [];
  return count === undefined
    ? readInstant(value)
    : Math.max(0, now - Number(count) * UNITS[unit as keyof typeof UNITS]);
}
