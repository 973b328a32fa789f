import assert from "node:assert/strict";
import {
  readPeriod,
  readTimeOfDay,
  type TypedPeriod,
  WeeklyHours,
} from "../../../../lib/shared/schedule/weekly-hours";
const ALL = "mon,tue,wed,thu,fri,sat,sun";
const WORKDAYS = "mon,tue,wed,thu,fri";
function hoursOf(days: string, from: string, to: string): WeeklyHours {
  const read = readPeriod({ days, from, to });
  assert.ok(read.ok);
  return new WeeklyHours(read.period);
}

describe("readPeriod", () => {
  const TIMES: readonly (readonly [typed: string, minutes: number | null])[] = [
    ["08:00", 480],
    [" 20:15 ", 1215],
    ["8.30", 510],
    ["24:00", 1440],
    ["24:01", null],
    ["", null],
    ["8:00 pm", null],
    ["${FROM}", null],
  ];
  for (const [typed, minutes] of TIMES) {
    it(`reads '${typed}' as ${minutes === null ? "no time" : `${minutes} minutes`}`, () => {
      assert.equal(readTimeOfDay(typed), minutes);
    });
  }

  const PERIODS: readonly (readonly [days: string, from: string, to: string, period: object])[] = [
    [WORKDAYS, "08:00", "20:00", { days: [1, 2, 3, 4, 5], from: 480, to: 1200 }],
    ["SUN; sat sat", "22:00", "06:00", { days: [6, 7], from: 1320, to: 360 }],
    ["wed", "00:00", "00:00", { days: [3], from: 0, to: 1440 }],
    ["wed", "18:00", "00:00", { days: [3], from: 1080, to: 1440 }],
  ];
  for (const [days, from, to, period] of PERIODS) {
    it(`reads ${days} from ${from} to ${to}`, () => {
      assert.deepEqual(readPeriod({ days, from, to }), { ok: true, period });
    });
  }

  const FAULTS: readonly (readonly [typed: TypedPeriod, fault: string, value: string])[] = [
    [{ days: "", from: "08:00", to: "20:00" }, "no-day", ""],
    [{ days: "mon,monday", from: "08:00", to: "20:00" }, "day", "monday"],
    [{ days: "mon", from: "24:00", to: "20:00" }, "from", "24:00"],
    [{ days: "mon", from: "08:00", to: "24:30" }, "to", "24:30"],
    [{ days: "mon", from: "08:00", to: "08:00" }, "empty", "08:00"],
  ];
  for (const [typed, fault, value] of FAULTS) {
    it(`refuses ${JSON.stringify(typed)}: ${fault}`, () => {
      assert.deepEqual(readPeriod(typed), { ok: false, fault, value });
    });
  }
});

describe("WeeklyHours", () => {
  /** What is next: `opens` where they are closed, `closes` where they are open. Times are in UTC. */
  type Row = readonly [about: string, now: string, next: "opens" | "closes", at: string];
  /** By zone, days, beginning and end. 27 November 2026 is a Friday. */
  const ROWS: Readonly<Record<string, readonly Row[]>> = {
    [`Europe/Zurich ${WORKDAYS} 08:00 20:00`]: [
      ["before they begin", "2026-11-27 06:59:59.999", "opens", "2026-11-27 07:00"],
      ["when they begin", "2026-11-27 07:00", "closes", "2026-11-27 19:00"],
      ["in the last moment", "2026-11-27 18:59:59.999", "closes", "2026-11-27 19:00"],
      ["over the weekend", "2026-11-27 19:00", "opens", "2026-11-30 07:00"],
      ["over a weekend on which DST begins", "2026-03-27 19:00", "opens", "2026-03-30 06:00"],
      ["over a weekend on which DST ends", "2026-10-23 18:00", "opens", "2026-10-26 07:00"],
    ],
    "UTC fri 22:00 06:00": [
      ["after midnight of a day that is not chosen", "2026-11-28 05:00", "closes", "2026-11-28 06:00"],
      ["after midnight of the chosen day", "2026-11-27 05:00", "opens", "2026-11-27 22:00"],
    ],
    "UTC sun 22:00 06:00": [
      ["over midnight, from Sunday to Monday", "2026-11-30 03:00", "closes", "2026-11-30 06:00"],
    ],
    "America/New_York wed 00:00 00:00": [
      ["on one whole day", "2026-11-27 12:00", "opens", "2026-12-02 05:00"],
    ],
    "America/New_York wed,thu 00:00 24:00": [
      ["on two whole days that touch", "2026-12-02 05:00", "closes", "2026-12-04 05:00"],
    ],
    [`Europe/Zurich ${ALL} 02:00 02:30`]: [
      ["where DST skips them: the next day", "2026-03-29 00:00", "opens", "2026-03-30 00:00"],
    ],
    "Europe/Zurich sun 02:00 03:00": [
      [
        "where DST skips the only ones of the week: the week after",
        "2026-03-24 00:00",
        "opens",
        "2026-04-05 00:00",
      ],
    ],
    [`Europe/Zurich ${ALL} 02:30 20:00`]: [
      ["where DST skips their beginning: after the gap", "2026-03-29 00:00", "opens", "2026-03-29 01:00"],
      ["where DST repeats what is before them", "2026-10-25 00:30", "closes", "2026-10-25 01:00"],
    ],
    [`Europe/Zurich ${ALL} 00:00 02:30`]: [
      ["where DST skips their end: at the gap", "2026-03-29 00:30", "closes", "2026-03-29 01:00"],
    ],
    [`Europe/Zurich ${ALL} 02:15 02:45`]: [
      ["where DST repeats them: the first time", "2026-10-24 23:00", "opens", "2026-10-25 00:15"],
      ["where DST repeats them: the second time", "2026-10-25 00:45", "opens", "2026-10-25 01:15"],
    ],
    "Asia/Beirut sun 00:00 00:00": [
      ["on a day whose midnight is skipped", "2026-03-28 12:00", "opens", "2026-03-28 22:00"],
    ],
    "Asia/Beirut sat 00:00 00:00": [
      ["on a day that begins twice", "2026-10-24 12:00", "closes", "2026-10-24 22:00"],
    ],
  };
  const instant = (text: string): number => Date.parse(`${text.replace(" ", "T")}Z`);
  it("opens and closes at the typed times of a zone through all clock changes", () => {
    for (const [key, rows] of Object.entries(ROWS)) {
      const [zone, days, from, to] = key.split(" ") as [string, string, string, string];
      const hours = hoursOf(days, from, to);
      for (const [about, now, next, then] of rows) {
        const at = instant(now);
        const open = next === "closes";
        assert.equal(hours.opensAt(at, zone), open ? at : instant(then), about);
        assert.equal(hours.closesAt(at, zone), open ? instant(then) : at, about);
        assert.equal(hours.isOpen(at, zone), open, about);
      }
    }
  });
});
