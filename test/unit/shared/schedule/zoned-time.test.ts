import assert from "node:assert/strict";
import fc from "fast-check";
import { instantOf, isZone, type WallClock, wallTime } from "../../../../lib/shared/schedule/zoned-time";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const parts = (text: string): WallClock => {
  const [year, month, day, hour, minute] = text.split(/\D/).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { year, month, day, hour, minute };
};
const two = (value: number): string => String(value).padStart(2, "0");
const shown = (at: number, zone: string): string => {
  const { year, month, day, hour, minute } = wallTime(at, zone);
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;
};
const instant = (text: string, zone: string): string =>
  new Date(instantOf(parts(text), zone)).toISOString().slice(0, 19);

describe("time in a zone", () => {
  const SHOWN: [zone: string, at: string, wall: string][] = [
    ["Europe/Zurich", "2026-01-01T12:00:30Z", "2026-01-01 13:00"],
    ["Europe/Zurich", "2026-07-01T12:00:00Z", "2026-07-01 14:00"],
    ["Europe/Zurich", "2026-03-29T00:59:59Z", "2026-03-29 01:59"],
    ["Europe/Zurich", "2026-03-29T01:00:00Z", "2026-03-29 03:00"],
    ["Asia/Kathmandu", "2026-01-01T00:00:00Z", "2026-01-01 05:45"],
    ["Australia/Lord_Howe", "2026-01-01T00:00:00Z", "2026-01-01 11:00"],
    ["Pacific/Kiritimati", "2026-01-01T10:00:00Z", "2026-01-02 00:00"],
  ];

  for (const [zone, at, wall] of SHOWN) {
    it(`shows ${wall} in ${zone} at ${at}`, () => {
      assert.equal(shown(Date.parse(at), zone), wall);
    });
  }

  it("throws for a zone that does not exist", () => {
    assert.throws(() => wallTime(0, "Mars/Olympus"), RangeError);
    assert.throws(() => instantOf(parts("2026-01-01 00:00"), "Mars/Olympus"), RangeError);
    assert.throws(() => wallTime(Number.NaN, "UTC"), RangeError);
  });
});

describe("instant of a time in a zone", () => {
  const INSTANTS: [about: string, zone: string, wall: string, at: string][] = [
    ["winter", "Europe/Zurich", "2026-12-24 08:00", "2026-12-24T07:00:00"],
    ["summer", "Europe/Zurich", "2026-08-01 08:00", "2026-08-01T06:00:00"],
    ["before the gap", "Europe/Zurich", "2026-03-29 01:59", "2026-03-29T00:59:00"],
    ["in the gap", "Europe/Zurich", "2026-03-29 02:30", "2026-03-29T01:00:00"],
    ["the first of two", "Europe/Zurich", "2026-10-25 02:00", "2026-10-25T00:00:00"],
    ["gap of half an hour", "Australia/Lord_Howe", "2026-10-04 02:15", "2026-10-03T15:30:00"],
    ["half an hour twice", "Australia/Lord_Howe", "2026-04-05 01:45", "2026-04-04T14:45:00"],
    ["45 minutes", "Asia/Kathmandu", "2026-06-01 00:00", "2026-05-31T18:15:00"],
    ["gap after Ramadan", "Africa/Casablanca", "2026-03-22 02:30", "2026-03-22T02:00:00"],
    ["midnight that is skipped", "America/Sao_Paulo", "2018-11-04 00:00", "2018-11-04T03:00:00"],
    ["midnight that is skipped", "Asia/Beirut", "2026-03-29 00:00", "2026-03-28T22:00:00"],
    ["a day that is skipped", "Pacific/Apia", "2011-12-30 12:00", "2011-12-30T10:00:00"],
  ];

  it("follows the clocks of a zone through gaps and repeated hours", () => {
    for (const [about, zone, wall, at] of INSTANTS) {
      assert.equal(instant(wall, zone), at, `${about}: ${wall} in ${zone}`);
    }
  });

  const ZONES = [
    "Europe/Zurich",
    "Europe/London",
    "America/New_York",
    "America/St_Johns",
    "Australia/Lord_Howe",
    "Pacific/Chatham",
    "Asia/Kathmandu",
    "Africa/Casablanca",
    "Africa/Cairo",
    "Asia/Beirut",
    "America/Santiago",
    "Antarctica/Troll",
    "Pacific/Kiritimati",
    "UTC",
  ];

  it("inverts the wall time, or finds its first occurrence, from 1975 to 2099", () => {
    const minutes = fc.integer({ min: Date.UTC(1975, 0, 1) / MINUTE, max: Date.UTC(2099, 0, 1) / MINUTE });
    fc.assert(
      fc.property(minutes, fc.constantFrom(...ZONES), (minute, zone) => {
        const at = minute * MINUTE;
        const found = instantOf(wallTime(at, zone), zone);
        assert.equal(shown(found, zone), shown(at, zone));
        assert.ok(found === at || (found < at && at - found <= 2 * HOUR), `${found} for ${at}`);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("names of time zones", () => {
  it("refuses other names", () => {
    for (const name of [
      "",
      " ",
      "Mars/Olympus",
      "+01:00",
      "-0800",
      "Z",
      "Europe/Zurich ",
      "Etc/Unknown",
      "\0",
    ]) {
      assert.equal(isZone(name), false, JSON.stringify(name));
    }
  });
});
