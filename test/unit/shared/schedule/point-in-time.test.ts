import assert from "node:assert/strict";
import { readPointInTime } from "../../../../lib/shared/schedule/point-in-time";

const NOW = Date.parse("2025-06-02T12:00:00Z");

describe("a point in time", () => {
  const READ: readonly (readonly [value: unknown, expected: string])[] = [
    [Date.parse("2025-06-01T10:00:00Z"), "2025-06-01T10:00:00.000Z"],
    [String(Date.parse("2025-06-01T10:00:00Z")), "2025-06-01T10:00:00.000Z"],
    [new Date("2025-06-01T10:00:00Z"), "2025-06-01T10:00:00.000Z"],
    ["2025-06-01T10:00:00Z", "2025-06-01T10:00:00.000Z"],
    [" 2025-06-01T10:00:00.5+02:00 ", "2025-06-01T08:00:00.500Z"],
    ["24h", "2025-06-01T12:00:00.000Z"],
    ["90 m", "2025-06-02T10:30:00.000Z"],
    ["7d", "2025-05-26T12:00:00.000Z"],
    ["999999d", "1970-01-01T00:00:00.000Z"],
  ];
  for (const [value, expected] of READ) {
    it(`is read from ${JSON.stringify(value)}`, () => {
      const at = readPointInTime(value, NOW);
      assert.equal(at === null ? null : new Date(at).toISOString(), expected);
    });
  }

  const SECONDS = 1_748_772_000;
  for (const value of [
    SECONDS,
    String(SECONDS),
    Number.NaN,
    1e20,
    -5,
    new Date(Number.NaN),
    "2025-06-01",
    "2025-06-01T10:00:00",
    "yesterday",
    "24",
    "-24h",
    "1.5h",
    "24w",
    "",
    null,
    true,
    {},
    ["24h"],
  ]) {
    it(`is not read from ${typeof value} ${JSON.stringify(value)}`, () => {
      assert.equal(readPointInTime(value, NOW), null);
    });
  }
});
