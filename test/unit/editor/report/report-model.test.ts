import assert from "node:assert/strict";
import type { ReportView } from "../../../../lib/shared/history/report";
import {
  fileNameOf,
  openOf,
  percentOf,
  type ReportForm,
  type ReportSums,
  reportQuery,
} from "../../../../lib/editor/report/report-model";

const FORM: ReportForm = {
  period: "7-days",
  from: "2025-06-01",
  to: "2025-06-30",
  step: "day",
  channel: "",
  outcome: "",
  node: "",
};
const SUMS: ReportSums = {
  messages: 10,
  segments: 14,
  delivered: 6,
  read: 2,
  failed: 2,
  skipped: 1,
  replies: 4,
  optOuts: 1,
};

describe("what the form of a report asks for", () => {
  it("is a period by name, and days only where they were chosen", () => {
    assert.deepEqual(reportQuery(FORM), { period: "7-days", step: "day" });
    assert.deepEqual(reportQuery({ ...FORM, period: "between", step: "hour" }), {
      ...{ period: "between", from: "2025-06-01", to: "2025-06-30", step: "hour" },
    });
    assert.equal(reportQuery({ ...FORM, period: "between", to: "" }), null);
    assert.equal(reportQuery({ ...FORM, period: "between", from: "" }), null);
  });

  it("is narrowed by what is chosen", () => {
    assert.deepEqual(reportQuery({ ...FORM, channel: "SMS", outcome: "unknown", node: "n1" }), {
      ...{ period: "7-days", step: "day", channel: "SMS", outcome: "unknown", node: "n1" },
    });
  });
});

describe("the file of a report", () => {
  const named = (from: string | null, to: string, zone = "Europe/Zurich"): string =>
    fileNameOf("A shop", "steps", { zone, report: { from, to } } as unknown as ReportView);

  it("has the name of its table, account, and first and last day in the zone of the account", () => {
    assert.equal(
      named("2025-06-01T22:00:00.000Z", "2025-06-08T22:00:00.000Z"),
      "report-steps-A shop-2025-06-02-2025-06-08.csv",
    );
    assert.equal(
      named("2025-06-01T22:00:00.000Z", "2025-06-08T22:00:00.000Z", "UTC"),
      "report-steps-A shop-2025-06-01-2025-06-08.csv",
    );
  });
});

describe("the numbers of a report", () => {
  it("leave over what is not known", () => {
    assert.equal(openOf(SUMS), 1);
    assert.equal(openOf({ ...SUMS, messages: 5 }), 0);
  });

  it("are shares that say all and nothing only of all and nothing", () => {
    const ROWS = [
      [0, 0, null],
      [0, 10, 0],
      [10, 10, 100],
      [1, 3, 33.3],
      [1, 100_000, 0.1],
      [99_999, 100_000, 99.9],
    ] as const;
    for (const [part, whole, percent] of ROWS) {
      assert.equal(percentOf(part, whole), percent, `${part} of ${whole}`);
    }
  });
});
