import assert from "node:assert/strict";
import { limitPeriods } from "../../../../lib/runtime/guards/limit-periods";

const HOUR = 3_600_000;
const at = (text: string): number => Date.parse(text);

/** Every period of a time zone from one moment to another, each one asked for at its start, middle and last ms. */
function periods(zone: string, from: string, to: string): readonly (readonly [number, number])[] {
  const hours: (readonly [number, number])[] = [];
  for (let now = at(from); now < at(to); now = hours.at(-1)![1]) {
    const period = limitPeriods(now, zone);
    assert.equal(period.hourStarts, now);
    for (const within of [now, now + (period.hourEnds - now) / 2, period.hourEnds - 1]) {
      assert.deepEqual(limitPeriods(within, zone), period);
      assert.ok(period.dayStarts <= within && within < period.dayEnds);
    }
    hours.push([period.hourStarts, period.hourEnds]);
  }
  return hours;
}

describe("the periods of limits", () => {
  it("are hours and days of the zone, also where clocks change", () => {
    for (const [title, zone, starts, ends, hours] of [
      ["a usual day", "Europe/Zurich", "2026-07-01T00:00+02:00", "2026-07-02T00:00+02:00", 24],
      [
        "the day on which DST begins",
        "Europe/Zurich",
        "2026-03-29T00:00+01:00",
        "2026-03-30T00:00+02:00",
        23,
      ],
      ["the day on which DST ends", "Europe/Zurich", "2026-10-25T00:00+02:00", "2026-10-26T00:00+01:00", 25],
      ["a day in UTC", "UTC", "2026-03-29T00:00Z", "2026-03-30T00:00Z", 24],
      [
        "a day of a zone of half hours",
        "Asia/Kolkata",
        "2026-03-29T00:00+05:30",
        "2026-03-30T00:00+05:30",
        24,
      ],
      ["a day without midnight", "Africa/Cairo", "2026-04-24T01:00+03:00", "2026-04-25T00:00+03:00", 23],
      ["the last day of a year", "America/New_York", "2026-12-31T00:00-05:00", "2027-01-01T00:00-05:00", 24],
    ] as const) {
      const found = periods(zone, starts, ends);
      assert.equal(found.length, hours, title);
      assert.ok(found.every(([start, end]) => end - start === HOUR));
      const { dayStarts, dayEnds } = limitPeriods(at(starts), zone);
      assert.deepEqual([dayStarts, dayEnds], [at(starts), at(ends)]);
    }
  });
});
