import assert from "node:assert/strict";
import { NoPeriod, reportPeriod } from "../../../../lib/runtime/report/report-period";
import type { ReportQuery } from "../../../../lib/shared/history/report";

const ZONE = "Europe/Zurich";
/** A Wednesday, 01:30 of the next day in the zone. */
const NOW = Date.parse("2025-04-01T23:30:00Z");

const of = (query: Partial<ReportQuery>, zone = ZONE, now = NOW) => {
  const { from, to } = reportPeriod({ period: "today", step: "day", ...query }, zone, now);
  return [new Date(from).toISOString(), new Date(to).toISOString()];
};

describe("the period of a report", () => {
  it("starts at a midnight of the account's zone, and ends at the current time", () => {
    const now = "2025-04-01T23:30:00.000Z";
    assert.deepEqual(of({}), ["2025-04-01T22:00:00.000Z", now]);
    assert.deepEqual(of({}, "UTC"), ["2025-04-01T00:00:00.000Z", now]);
    // Clocks were put forward on 30 March.
    assert.deepEqual(of({ period: "7-days" }), ["2025-03-26T23:00:00.000Z", now]);
    assert.deepEqual(of({ period: "30-days" }), ["2025-03-03T23:00:00.000Z", now]);
    assert.deepEqual(of({ period: "month" }), ["2025-03-31T22:00:00.000Z", now]);
  });

  it("covers the last whole week from Monday to Sunday on any day", () => {
    const last = ["2025-03-23T23:00:00.000Z", "2025-03-30T22:00:00.000Z"];
    for (const [day, week] of [
      ["2025-03-30T12:00:00Z", ["2025-03-16T23:00:00.000Z", "2025-03-23T23:00:00.000Z"]],
      ["2025-03-30T21:59:59Z", ["2025-03-16T23:00:00.000Z", "2025-03-23T23:00:00.000Z"]],
      // Monday has begun in the zone.
      ["2025-03-30T22:00:00Z", last],
      ["2025-04-06T21:59:00Z", last],
    ] as const) {
      assert.deepEqual(of({ period: "last-week" }, ZONE, Date.parse(day)), week, day);
    }
    assert.deepEqual(of({ period: "last-week" }), last);
    assert.deepEqual(of({ period: "last-week" }, "UTC", Date.parse("2025-01-01T12:00:00Z")), [
      "2024-12-23T00:00:00.000Z",
      "2024-12-30T00:00:00.000Z",
    ]);
  });

  it("covers the last whole month", () => {
    assert.deepEqual(of({ period: "last-month" }), ["2025-02-28T23:00:00.000Z", "2025-03-31T22:00:00.000Z"]);
    const january = Date.parse("2025-01-15T12:00:00Z");
    assert.deepEqual(of({ period: "last-month" }, ZONE, january), [
      "2024-11-30T23:00:00.000Z",
      "2024-12-31T23:00:00.000Z",
    ]);
  });

  it("covers the chosen days up to the current time", () => {
    const between = (from: string, to: string, step: "day" | "hour" = "day") =>
      of({ period: "between", from, to, step });
    assert.deepEqual(between("2025-03-01", "2025-03-01"), [
      "2025-02-28T23:00:00.000Z",
      "2025-03-01T23:00:00.000Z",
    ]);
    assert.deepEqual(between("2025-03-31", "2025-12-31"), [
      "2025-03-30T22:00:00.000Z",
      "2025-04-01T23:30:00.000Z",
    ]);
  });

  it("refuses an empty period, and too many days for hours", () => {
    const fails = (fault: string, query: Partial<ReportQuery>): void =>
      assert.throws(
        () => of({ period: "between", ...query }),
        (error) => error instanceof NoPeriod && error.fault === fault,
      );
    fails("period", { from: "2025-03-02", to: "2025-03-01" });
    fails("period", { from: "2025-04-03", to: "2025-04-05" });
    fails("period", { from: "2025-03-01" });
    fails("too-long-day", { from: "2024-12-29", to: "2025-03-31" });
    fails("too-long-hour", { from: "2025-02-27", to: "2025-03-31", step: "hour" });
    // The longest month, in which clocks are put back.
    const november = Date.parse("2025-11-20T12:00:00Z");
    assert.equal(
      of({ period: "between", from: "2025-10-01", to: "2025-10-31", step: "hour" }, ZONE, november).length,
      2,
    );
  });
});
