import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { readMoment } from "../../../../lib/shared/schedule/read-moment";

const ZONE = "Europe/Zurich";
const NOW = Date.parse("2026-11-22T15:44:10Z");

describe("readMoment", () => {
  const read: readonly (readonly [value: unknown, expected: string, now?: string])[] = [
    ["2h", "2026-11-22T17:44:10Z"],
    ["20:15", "2026-11-22T19:15:00Z"],
    ["16:45", "2026-11-22T15:45:00Z"],
    ["16:44", "2026-11-23T15:44:00Z"],
    ["8:00", "2026-11-23T07:00:00Z"],
    ["2026-12-24", "2026-12-23T23:00:00Z"],
    ["2026-12-24 08:00", "2026-12-24T07:00:00Z"],
    [" 2026-12-24T08:00:30 ", "2026-12-24T07:00:30Z"],
    ["2026-12-24T08:00:00Z", "2026-12-24T08:00:00Z"],
    ["2026-12-24T08:00+05:30", "2026-12-24T02:30:00Z"],
    ["2026-12-24T08:00:00.500Z", "2026-12-24T08:00:00.500Z"],
    [NOW, "2026-11-22T15:44:10Z"],
    [new Date(NOW), "2026-11-22T15:44:10Z"],
    [runInNewContext(`new Date(${NOW})`), "2026-11-22T15:44:10Z"],
    // Clocks go from 2:00 to 3:00, and from 3:00 to 2:00.
    ["2027-03-28 02:30", "2027-03-28T01:00:00Z"],
    ["2026-10-25 02:30", "2026-10-25T00:30:00Z"],
    ["02:30", "2027-03-28T01:00:00Z", "2027-03-27T20:00:00Z"],
    ["08:00", "2027-03-28T06:00:00Z", "2027-03-27T20:00:00Z"],
    ["08:00", "2026-10-25T07:00:00Z", "2026-10-24T20:00:00Z"],
    // On the last day of a month, tomorrow is in the next one.
    ["08:00", "2027-01-01T07:00:00Z", "2026-12-31T20:00:00Z"],
  ];
  for (const [value, expected, now] of read) {
    it(`is ${expected} as ${String(value)}${now === undefined ? "" : ` at ${now}`}`, () => {
      const at = readMoment(value, now === undefined ? NOW : Date.parse(now), ZONE);
      assert.equal(at, Date.parse(expected));
    });
  }

  it("uses the zone of the process when none is named", () => {
    assert.equal(readMoment("2026-12-24 08:00", NOW, ""), new Date(2026, 11, 24, 8).getTime());
  });

  for (const value of [
    "",
    "tomorrow",
    "24:00",
    "2026-02-29",
    "24.12.2026",
    "2026-12-24T08:00:00+99:00",
    "1900-01-01",
    1_700_000_000,
    Number.NaN,
    new Date(Number.NaN),
    true,
    null,
  ]) {
    it(`refuses ${JSON.stringify(value) ?? String(value)}`, () => {
      assert.equal(readMoment(value, NOW, ZONE), null);
    });
  }
});
