import assert from "node:assert/strict";
import { type LogReport, reportOf as worded } from "../../../../lib/runtime/log/log-report";
import { type ReportQuestion, ReportSum } from "../../../../lib/runtime/log/report-sum";
import type { ReportCount } from "../../../../lib/store/history/report-counts";
import type { CountedDay } from "../../../../lib/store/history/report-days";

const HOUR = 3_600_000;
const ZONE = "Europe/Zurich";
const STARTS = Date.parse("2025-06-01T00:00:00+02:00");
const DAY = { starts: STARTS, ends: STARTS + 24 * HOUR, from: STARTS, to: STARTS + 24 * HOUR };
const ASKED = { from: STARTS, to: DAY.to, step: "day" } as const;

const count = (given: Partial<ReportCount>): ReportCount => ({
  ...{ hour: 0, node: "n1", channel: "SMS", outcome: "sent", operation: null, code: null, fault: null },
  ...{ delivery: null, count: 1, segments: 0 },
  ...given,
});
const part = (people: readonly ReportCount[], more: Partial<CountedDay["counts"]> = {}): CountedDay => ({
  day: DAY,
  counts: { people, delays: [], replies: [], ...more },
  optOuts: [],
});

async function reportOf(
  parts: readonly CountedDay[],
  question: ReportQuestion & { readonly from: number },
): Promise<LogReport> {
  const sum = new ReportSum(question, ZONE);
  for (const each of parts) {
    await sum.add(each);
  }
  return worded(sum);
}

describe("a report of a period", () => {
  it("sums up what arrived, was read and failed, where a report counts more than the answer", async () => {
    const report = await reportOf(
      [
        part([
          count({ delivery: "delivered", count: 5, segments: 9 }),
          count({ delivery: "read", count: 3 }),
          count({ delivery: "expired", count: 2 }),
          count({ outcome: "rejected", operation: "sms-form", code: 4031, count: 4 }),
          count({ outcome: "rejected", operation: "sms-form", code: 4002, delivery: "delivered" }),
          count({ outcome: "skipped", count: 7 }),
          count({ outcome: "skipped", delivery: "delivered" }),
          count({ outcome: "unknown" }),
          count({ outcome: null }),
        ]),
      ],
      ASKED,
    );
    const { messages, segments, delivered, read, failed, skipped } = report;
    assert.deepEqual(
      { messages, segments, delivered, read, failed, skipped },
      { messages: 25, segments: 9, delivered: 10, read: 3, failed: 6, skipped: 7 },
    );
    assert.deepEqual(
      report.reasons.map(({ statusName, count: people }) => [statusName, people]),
      [
        ["RECIPIENTS_BLACKLISTED", 4],
        ["expired", 2],
      ],
    );
    assert.equal(report.byOutcome.open, 1);
  });

  it("has each hour of its period, whatever happened in it, and what people wrote", async () => {
    const from = STARTS + 1.5 * HOUR;
    const day = { ...DAY, from, to: STARTS + 4 * HOUR };
    const { steps, replies, optOuts } = await reportOf(
      [
        {
          day,
          counts: { people: [count({ hour: 2 })], delays: [], replies: [{ hour: 3, count: 2 }] },
          optOuts: [
            { hour: 1, count: 1 },
            { hour: 3, count: 1 },
          ],
        },
      ],
      { ...ASKED, from, to: day.to, step: "hour" },
    );
    assert.deepEqual(
      steps.map((step) => [step.from.slice(11, 16), step.messages, step.replies, step.optOuts]),
      [
        ["23:30", 0, 0, 1],
        ["00:00", 1, 0, 0],
        ["01:00", 0, 2, 1],
      ],
    );
    assert.deepEqual([replies, optOuts], [2, 2]);
  });

  it("says below what half and 95 % of the deliveries took, of what is wanted", async () => {
    const delay = { node: "n1", channel: "SMS", outcome: "sent" } as const;
    const delays = [
      { ...delay, bucket: 3, count: 50 },
      { ...delay, bucket: 65, count: 45 },
      { ...delay, bucket: 122, count: 5 },
      { ...delay, node: "n2", bucket: 160, count: 1_000 },
      { ...delay, outcome: "unknown", bucket: 0, count: 1_000 },
    ] as const;
    const of = async (more: object) =>
      (await reportOf([part([], { delays })], { ...ASKED, outcome: "sent", ...more })).deliverySeconds;
    assert.deepEqual(await of({ node: "n1" }), { median: 3, p95: 300 });
    assert.deepEqual(await of({ outcome: "unknown" }), { median: 0, p95: 0 });
    assert.equal(await of({ node: "n3" }), null);
    assert.equal(await of({ outcome: "queued" }), null);
  });
});
