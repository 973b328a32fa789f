import assert from "node:assert/strict";
import { readDuration } from "../../../../lib/shared/schedule/read-duration";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("a duration", () => {
  const read: readonly (readonly [text: string, ms: number])[] = [
    ["90s", 90_000],
    ["30 sec", 30_000],
    ["15 min", 15 * MINUTE],
    ["15m", 15 * MINUTE],
    [" 2h ", 2 * HOUR],
    ["24h", DAY],
    ["3 d", 3 * DAY],
    ["1 w", 7 * DAY],
    ["1 minute", MINUTE],
    ["2 Hours", 2 * HOUR],
    ["3 days", 3 * DAY],
    ["1 Stunde 30 Minuten", 90 * MINUTE],
    ["2 Tage", 2 * DAY],
    ["15 MIN", 15 * MINUTE],
    ["1h 30min", 90 * MINUTE],
    ["1h30m", 90 * MINUTE],
    ["1.5h", 90 * MINUTE],
    ["1,5 h", 90 * MINUTE],
    ["0s", 0],
    ["PT2H", 2 * HOUR],
    ["P1DT12H", 36 * HOUR],
    ["P2W", 14 * DAY],
    ["PT1H30M15S", 90 * MINUTE + 15_000],
    ["PT0.5S", 500],
    ["365 d", 365 * DAY],
    ["3660 d", 3660 * DAY],
  ];
  for (const [text, ms] of read) {
    it(`is ${ms} ms as ${JSON.stringify(text)}`, () => assert.equal(readDuration(text), ms));
  }

  for (const text of [
    "",
    " ",
    "2",
    "h",
    "-2h",
    "2 hoursx",
    "2 months",
    "1 H",
    "2h later",
    "later 2h",
    "2mo",
    "1M",
    "P",
    "PT",
    "P1M",
    "P1Y",
    "PT2",
    "p1d",
    "3661 d",
    "999999999w",
    "1e3s",
    "2026-12-24",
    "20:15",
  ]) {
    it(`is not ${JSON.stringify(text)}`, () => assert.equal(readDuration(text), null));
  }
});
