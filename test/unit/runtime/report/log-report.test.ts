import assert from "node:assert/strict";
import { type LogReport, reportOf as worded } from "../../../../lib/runtime/report/log-report";
import { type ReportQuestion, ReportSum } from "../../../../lib/runtime/report/report-sum";
import { daysOf, type ReportDay, startsOf } from "../../../../lib/store/history/days-of-zone";
import type { InboundCounts, ReportCount } from "../../../../lib/store/history/report-counts";

const HOUR = 3_600_000;
const ZONE = "Europe/Zurich";
const STARTS = Date.parse("2025-06-01T00:00:00+02:00");
const DAY = { starts: STARTS, ends: STARTS + 24 * HOUR, from: STARTS, to: STARTS + 24 * HOUR };
const ASKED = { from: STARTS, to: DAY.to, step: "day" } as const;

const count = (given: Partial<ReportCount>): ReportCount => ({
  ...{ step: STARTS, node: "n1", channel: "SMS", outcome: "sent", operation: null, code: null, fault: null },
  ...{ delivery: null, bucket: null, count: 1, segments: 0, simulated: 0 },
  ...given,
});

async function reportOf(
  counts: readonly ReportCount[],
  question: ReportQuestion & { readonly from: number },
  day: ReportDay = DAY,
  inbound: InboundCounts = { replies: [], optOuts: [] },
): Promise<LogReport> {
  const sum = new ReportSum(question, [day], ZONE);
  sum.addInbound(inbound);
  await sum.addOutcomes(counts);
  return worded(sum);
}

describe("a report of a period", () => {
  it("sums delivered, read and failed messages, by report before response", async () => {
    const report = await reportOf(
      [
        count({ delivery: "delivered", count: 5, segments: 9 }),
        count({ delivery: "read", count: 3, simulated: 1 }),
        count({ delivery: "expired", count: 2 }),
        count({ outcome: "rejected", operation: "sms-form", code: 4031, count: 4 }),
        count({ outcome: "rejected", operation: "sms-form", code: 4002, delivery: "delivered" }),
        count({ outcome: "skipped", count: 7 }),
        count({ outcome: "skipped", delivery: "delivered" }),
        count({ outcome: "unknown" }),
        count({ outcome: null }),
      ],
      ASKED,
    );
    const { messages, segments, simulated, delivered, read, failed, skipped } = report;
    assert.deepEqual(
      { messages, segments, simulated, delivered, read, failed, skipped },
      { messages: 25, segments: 9, simulated: 3, delivered: 10, read: 3, failed: 6, skipped: 7 },
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

  it("lists each hour of its period with replies", async () => {
    const from = STARTS + 1.5 * HOUR;
    const day = { ...DAY, from, to: STARTS + 4 * HOUR };
    const inbound = {
      replies: [{ step: STARTS + 3 * HOUR, count: 2 }],
      optOuts: [1, 3].map((hour) => ({ step: STARTS + hour * HOUR, count: 1 })),
    };
    const { steps, replies, optOuts } = await reportOf(
      [count({ step: STARTS + 2 * HOUR })],
      { ...ASKED, from, to: day.to, step: "hour" },
      day,
      inbound,
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

  it("computes median and 95th percentile of the filtered deliveries", async () => {
    const counts = [
      count({ bucket: 3, count: 50 }),
      count({ bucket: 65, count: 45 }),
      count({ bucket: 122, count: 5 }),
      count({ node: "n2", bucket: 160, count: 1_000 }),
      count({ outcome: "unknown", bucket: 0, count: 1_000 }),
    ];
    const of = async (more: object) =>
      (await reportOf(counts, { ...ASKED, outcome: "sent", ...more })).deliverySeconds;
    assert.deepEqual(await of({ node: "n1" }), { median: 3, p95: 300 });
    assert.deepEqual(await of({ outcome: "unknown" }), { median: 0, p95: 0 });
    assert.equal(await of({ node: "n3" }), null);
    assert.equal(await of({ outcome: "queued" }), null);
  });

  it("starts days and hours by the clocks of the zone", () => {
    const hoursOf = (zone: string, from: string, to: string): readonly number[] => {
      const days = [...daysOf(Date.parse(from), Date.parse(to), zone)];
      return days.map((day) => [...startsOf(day, "hour")].length);
    };
    assert.deepEqual(hoursOf(ZONE, "2025-10-24T22:00Z", "2025-10-27T23:00Z"), [24, 25, 24]);
    assert.deepEqual(hoursOf(ZONE, "2025-03-29T23:00Z", "2025-03-30T22:00Z"), [23]);
    assert.deepEqual(hoursOf("Asia/Kathmandu", "2025-05-31T18:15Z", "2025-06-01T18:45Z"), [24, 1]);
    const [half] = daysOf(
      Date.parse("2025-04-05T13:00Z"),
      Date.parse("2025-04-06T13:30Z"),
      "Australia/Lord_Howe",
    );
    assert.deepEqual([...startsOf(half!, "hour")].length, 25);
    assert.deepEqual([...startsOf(half!, "day")], [half!.starts]);
  });
});
