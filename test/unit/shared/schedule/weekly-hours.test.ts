import assert from "node:assert/strict";
import {
  readPeriod,
  readTimeOfDay,
  type TypedPeriod,
  WeeklyHours,
} from "../../../../lib/shared/schedule/weekly-hours";

const MINUTE = 60_000;
const QUARTER = 15;
const ALL = "mon,tue,wed,thu,fri,sat,sun";
const WORKDAYS = "mon,tue,wed,thu,fri";

function hoursOf(days: string, from: string, to: string): WeeklyHours {
  const read = readPeriod({ days, from, to });
  assert.ok(read.ok);
  return new WeeklyHours(read.period);
}

describe("weekly hours as people type them", () => {
  const TIMES: readonly (readonly [typed: string, minutes: number | null])[] = [
    ["08:00", 480],
    ["8:00", 480],
    [" 20:15 ", 1215],
    ["8.30", 510],
    ["0:00", 0],
    ["23:59", 1439],
    ["24:00", 1440],
    ["24:01", null],
    ["25:00", null],
    ["12:60", null],
    ["8", null],
    ["08:0", null],
    ["", null],
    ["8:00 pm", null],
    ["08:00:00", null],
    ["-1:00", null],
    ["${FROM}", null],
  ];
  for (const [typed, minutes] of TIMES) {
    it(`reads '${typed}' as ${minutes === null ? "no time" : `${minutes} minutes`}`, () => {
      assert.equal(readTimeOfDay(typed), minutes);
    });
  }

  const PERIODS: readonly (readonly [typed: TypedPeriod, period: object])[] = [
    [
      { days: WORKDAYS, from: "08:00", to: "20:00" },
      { days: [1, 2, 3, 4, 5], from: 480, to: 1200 },
    ],
    [
      { days: "SUN; sat sat", from: "22:00", to: "06:00" },
      { days: [6, 7], from: 1320, to: 360 },
    ],
    [
      { days: "wed", from: "00:00", to: "00:00" },
      { days: [3], from: 0, to: 1440 },
    ],
    [
      { days: "wed", from: "0:00", to: "24:00" },
      { days: [3], from: 0, to: 1440 },
    ],
    [
      { days: "wed", from: "18:00", to: "00:00" },
      { days: [3], from: 1080, to: 1440 },
    ],
  ];
  for (const [typed, period] of PERIODS) {
    it(`reads ${typed.days} from ${typed.from} to ${typed.to}`, () => {
      assert.deepEqual(readPeriod(typed), { ok: true, period });
    });
  }

  const FAULTS: readonly (readonly [typed: TypedPeriod, fault: string, value: string])[] = [
    [{ days: "", from: "08:00", to: "20:00" }, "no-day", ""],
    [{ days: " , ", from: "08:00", to: "20:00" }, "no-day", " , "],
    [{ days: "mon,monday", from: "08:00", to: "20:00" }, "day", "monday"],
    [{ days: "1", from: "08:00", to: "20:00" }, "day", "1"],
    [{ days: "mon", from: "", to: "20:00" }, "from", ""],
    [{ days: "mon", from: "24:00", to: "20:00" }, "from", "24:00"],
    [{ days: "mon", from: "8 o'clock", to: "20:00" }, "from", "8 o'clock"],
    [{ days: "mon", from: "08:00", to: "24:30" }, "to", "24:30"],
    [{ days: "mon", from: "08:00", to: "08:00" }, "empty", "08:00"],
    [{ days: "mon", from: "8:00", to: "08.00" }, "empty", "08.00"],
  ];
  for (const [typed, fault, value] of FAULTS) {
    it(`refuses ${JSON.stringify(typed)}: ${fault}`, () => {
      assert.deepEqual(readPeriod(typed), { ok: false, fault, value });
    });
  }
});

describe("when weekly hours begin and end", () => {
  const ROWS: readonly (readonly [
    about: string,
    zone: string,
    hours: readonly [days: string, from: string, to: string],
    now: string,
    opens: string,
    closes: string,
  ])[] = [
    // Friday, 27 November 2026.
    [
      "before they begin",
      "Europe/Zurich",
      [WORKDAYS, "08:00", "20:00"],
      "2026-11-27T06:59:59.999Z",
      "2026-11-27T07:00:00.000Z",
      "2026-11-27T06:59:59.999Z",
    ],
    [
      "when they begin",
      "Europe/Zurich",
      [WORKDAYS, "08:00", "20:00"],
      "2026-11-27T07:00:00.000Z",
      "2026-11-27T07:00:00.000Z",
      "2026-11-27T19:00:00.000Z",
    ],
    [
      "in the last moment",
      "Europe/Zurich",
      [WORKDAYS, "08:00", "20:00"],
      "2026-11-27T18:59:59.999Z",
      "2026-11-27T18:59:59.999Z",
      "2026-11-27T19:00:00.000Z",
    ],
    [
      "over the weekend",
      "Europe/Zurich",
      [WORKDAYS, "08:00", "20:00"],
      "2026-11-27T19:00:00.000Z",
      "2026-11-30T07:00:00.000Z",
      "2026-11-27T19:00:00.000Z",
    ],
    [
      "over a weekend on which DST begins",
      "Europe/Zurich",
      [WORKDAYS, "08:00", "20:00"],
      "2026-03-27T19:00:00.000Z",
      "2026-03-30T06:00:00.000Z",
      "2026-03-27T19:00:00.000Z",
    ],
    [
      "over a weekend on which DST ends",
      "Europe/Zurich",
      [WORKDAYS, "08:00", "20:00"],
      "2026-10-23T18:00:00.000Z",
      "2026-10-26T07:00:00.000Z",
      "2026-10-23T18:00:00.000Z",
    ],
    [
      "over midnight, after it, on a day that is not chosen",
      "UTC",
      ["fri", "22:00", "06:00"],
      "2026-11-28T05:00:00.000Z",
      "2026-11-28T05:00:00.000Z",
      "2026-11-28T06:00:00.000Z",
    ],
    [
      "over midnight, after it, on the chosen day",
      "UTC",
      ["fri", "22:00", "06:00"],
      "2026-11-27T05:00:00.000Z",
      "2026-11-27T22:00:00.000Z",
      "2026-11-27T05:00:00.000Z",
    ],
    [
      "over midnight, from Sunday to Monday",
      "UTC",
      ["sun", "22:00", "06:00"],
      "2026-11-30T03:00:00.000Z",
      "2026-11-30T03:00:00.000Z",
      "2026-11-30T06:00:00.000Z",
    ],
    [
      "on one whole day",
      "America/New_York",
      ["wed", "00:00", "00:00"],
      "2026-11-27T12:00:00.000Z",
      "2026-12-02T05:00:00.000Z",
      "2026-11-27T12:00:00.000Z",
    ],
    [
      "on two whole days that touch",
      "America/New_York",
      ["wed,thu", "00:00", "24:00"],
      "2026-12-02T05:00:00.000Z",
      "2026-12-02T05:00:00.000Z",
      "2026-12-04T05:00:00.000Z",
    ],
    [
      "where DST skips them: the next day",
      "Europe/Zurich",
      [ALL, "02:00", "02:30"],
      "2026-03-29T00:00:00.000Z",
      "2026-03-30T00:00:00.000Z",
      "2026-03-29T00:00:00.000Z",
    ],
    [
      "where DST skips the only ones of the week: the week after",
      "Europe/Zurich",
      ["sun", "02:00", "03:00"],
      "2026-03-24T00:00:00.000Z",
      "2026-04-05T00:00:00.000Z",
      "2026-03-24T00:00:00.000Z",
    ],
    [
      "where DST skips their beginning: after the gap",
      "Europe/Zurich",
      [ALL, "02:30", "20:00"],
      "2026-03-29T00:00:00.000Z",
      "2026-03-29T01:00:00.000Z",
      "2026-03-29T00:00:00.000Z",
    ],
    [
      "where DST skips their end: at the gap",
      "Europe/Zurich",
      [ALL, "00:00", "02:30"],
      "2026-03-29T00:30:00.000Z",
      "2026-03-29T00:30:00.000Z",
      "2026-03-29T01:00:00.000Z",
    ],
    [
      "where DST repeats them: the first time",
      "Europe/Zurich",
      [ALL, "02:15", "02:45"],
      "2026-10-24T23:00:00.000Z",
      "2026-10-25T00:15:00.000Z",
      "2026-10-24T23:00:00.000Z",
    ],
    [
      "where DST repeats them: the second time",
      "Europe/Zurich",
      [ALL, "02:15", "02:45"],
      "2026-10-25T00:45:00.000Z",
      "2026-10-25T01:15:00.000Z",
      "2026-10-25T00:45:00.000Z",
    ],
    [
      "where DST repeats what is before them",
      "Europe/Zurich",
      [ALL, "02:30", "20:00"],
      "2026-10-25T00:30:00.000Z",
      "2026-10-25T00:30:00.000Z",
      "2026-10-25T01:00:00.000Z",
    ],
    [
      "on a day whose midnight is skipped",
      "Asia/Beirut",
      ["sun", "00:00", "00:00"],
      "2026-03-28T12:00:00.000Z",
      "2026-03-28T22:00:00.000Z",
      "2026-03-28T12:00:00.000Z",
    ],
    [
      "on a day that begins twice",
      "Asia/Beirut",
      ["sat", "00:00", "00:00"],
      "2026-10-24T12:00:00.000Z",
      "2026-10-24T12:00:00.000Z",
      "2026-10-24T22:00:00.000Z",
    ],
  ];
  for (const [about, zone, [days, from, to], now, opens, closes] of ROWS) {
    it(`${about} (${zone})`, () => {
      const hours = hoursOf(days, from, to);
      const at = Date.parse(now);
      assert.equal(new Date(hours.opensAt(at, zone)).toISOString(), opens);
      assert.equal(new Date(hours.closesAt(at, zone)).toISOString(), closes);
      assert.equal(hours.isOpen(at, zone), opens === now);
    });
  }

  it("never ends where it is always open", () => {
    const always = hoursOf(ALL, "00:00", "00:00");
    const now = Date.parse("2026-03-29T00:59:00Z");
    assert.equal(always.opensAt(now, "Europe/Zurich"), now);
    assert.equal(always.closesAt(now, "Europe/Zurich"), Number.POSITIVE_INFINITY);
  });

  const DAY_NUMBERS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

  /** The minute of the week that a clock shows, for each minute of a year; clocks change at quarters of an hour. */
  function watchClock(zone: string, start: number, minutes: number): Uint16Array {
    const format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    const shown = new Uint16Array(minutes);
    for (let at = 0; at < minutes; at += QUARTER) {
      const [, day = "", hour, minute] =
        /^(\w+),? (\d+):(\d+)$/.exec(format.format(start + at * MINUTE)) ?? [];
      const first = DAY_NUMBERS.indexOf(day) * 1440 + Number(hour) * 60 + Number(minute);
      for (let more = 0; more < QUARTER; more++) {
        shown[at + more] = first + more;
      }
    }
    return shown;
  }

  const ZONES = [
    "Europe/Zurich",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Africa/Casablanca",
    "Asia/Beirut",
  ];
  /** Whether a minute of the week is in the hours. */
  const PERIODS: readonly (readonly [
    days: string,
    from: string,
    to: string,
    isIn: (day: number, minute: number) => boolean,
  ])[] = [
    [WORKDAYS, "08:00", "20:00", (day, minute) => day < 5 && minute >= 480 && minute < 1200],
    [
      "fri,sun",
      "22:30",
      "02:15",
      (day, minute) =>
        ((day === 4 || day === 6) && minute >= 1350) || ((day === 5 || day === 0) && minute < 135),
    ],
    [ALL, "02:10", "02:20", (_day, minute) => minute >= 130 && minute < 140],
    ["sun", "00:00", "00:00", (day) => day === 6],
    [ALL, "03:00", "02:00", (_day, minute) => minute >= 180 || minute < 120],
    ["sat,sun", "23:50", "24:00", (day, minute) => day > 4 && minute >= 1430],
  ];

  for (const zone of ZONES) {
    it(`agrees with a clock in ${zone} that is watched through a year`, () => {
      const start = Date.UTC(2026, 0, 1);
      const minutes = 400 * 1440;
      const shown = watchClock(zone, start, minutes);
      for (const [days, from, to, isIn] of PERIODS) {
        const hours = hoursOf(days, from, to);
        const open = Uint8Array.from(shown, (minute) =>
          isIn(Math.floor(minute / 1440), minute % 1440) ? 1 : 0,
        );
        const next: [closed: number, open: number] = [Number.NaN, Number.NaN];
        let jumped = Number.POSITIVE_INFINITY;
        for (let at = minutes - 1; at >= 0; at--) {
          const jumps = at > 0 && shown[at] !== ((shown[at - 1] as number) + 1) % 10_080;
          jumped = jumps ? at : jumped;
          // Each change in the week before the clocks change, and some minutes of each day.
          const changes = jumped - at < 8 * 1440 && (jumps || open[at] !== open[at - 1]);
          next[open[at] as 0 | 1] = at;
          if (at < 366 * 1440 && (changes || at % 1439 === 0)) {
            // In the middle of the minute, in the one before, and at its beginning.
            const now = start + at * MINUTE;
            const about = `${days} ${from}-${to} at ${new Date(now).toISOString()}`;
            for (const moment of [now, now + 30_000]) {
              const opens = open[at] === 1 ? moment : start + next[1] * MINUTE;
              const closes = open[at] === 0 ? moment : start + next[0] * MINUTE;
              assert.equal(hours.opensAt(moment, zone), opens, about);
              assert.equal(hours.closesAt(moment, zone), closes, about);
            }
            const before = open[at - 1] === 1 ? now - 1 : start + next[1] * MINUTE;
            assert.equal(at === 0 || hours.opensAt(now - 1, zone) === before, true, about);
          }
        }
      }
    });
  }
});
