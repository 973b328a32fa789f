import assert from "node:assert/strict";
import { readDuration } from "../../../../lib/shared/schedule/read-duration";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("readDuration", () => {
  const read: readonly (readonly [text: string, ms: number])[] = [
    ["90s", 90_000],
    ["15 min", 15 * MINUTE],
    [" 2h ", 2 * HOUR],
    ["1 w", 7 * DAY],
    ["3 days", 3 * DAY],
    ["1 Stunde 30 Minuten", 90 * MINUTE],
    ["1h 30min", 90 * MINUTE],
    ["1.5h", 90 * MINUTE],
    ["0s", 0],
    ["PT2H", 2 * HOUR],
    ["P1DT12H", 36 * HOUR],
    ["PT1H30M15S", 90 * MINUTE + 15_000],
    ["3660 d", 3660 * DAY],
  ];
  for (const [text, ms] of read) {
    it(`reads ${JSON.stringify(text)} as ${ms} ms`, () => assert.equal(readDuration(text), ms));
  }

  for (const text of [
    "",
    "2",
    "-2h",
    "2 months",
    "1 H",
    "2h later",
    "PT",
    "P1M",
    "P1Y",
    "3661 d",
    "1e3s",
    "2026-12-24",
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(readDuration(text), null));
  }
});
