import assert from "node:assert/strict";
import { reportOf } from "../../../../lib/runtime/log/log-report";
import { daysOf, type ReportPart } from "../../../../lib/runtime/log/report-parts";
import { deliveryText } from "../../../../lib/runtime/store/history/message-record";
import type { ReportCount } from "../../../../lib/store/history/report-counts";
import { say } from "../../../../lib/texts/say";

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
const part = (people: readonly ReportCount[], more: Partial<ReportPart["counts"]> = {}): ReportPart => ({
  day: DAY,
  counts: { people, delays: [], replies: [], ...more },
  optedOut: [],
});

describe("a report of a period", () => {
  it("sums up what arrived, was read and failed, where a report counts more than the answer", () => {
    const report = reportOf(
      [
        part([
          count({ delivery: "delivered", count: 5, segments: 9 }),
          count({ delivery: "read", count: 3 }),
          count({ delivery: "expired", count: 2 }),
          count({ outcome: "rejected", operation: "sms-form", code: 4031, count: 4 }),
          count({ outcome: "rejected", operation: "sms-form", code: 4002, delivery: "delivered" }),
          count({ outcome: "skipped", count: 7 }),
          count({ outcome: "unknown" }),
          count({ outcome: null }),
        ]),
      ],
      ASKED,
    );
    const { messages, segments, delivered, read, failed } = report;
    assert.deepEqual(
      { messages, segments, delivered, read, failed },
      { messages: 24, segments: 9, delivered: 9, read: 3, failed: 6 },
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

  it("names ten reasons at most, the most frequent first, and those of this side and of old answers too", () => {
    const codes = [4002, 4003, 4004, 4008, 4009, 4015, 4016, 4019, 4025, 4026];
    const people = codes.map((code, at) =>
      count({ outcome: "rejected", operation: "sms-form", code, count: at + 1 }),
    );
    const local = count({
      outcome: "retry-later",
      operation: "sms-form",
      fault: "CONNECT_FAILED",
      count: 50,
    });
    const bare = count({ outcome: "unknown", operation: "gone-operation", delivery: "failed", count: 40 });
    const old = count({ outcome: "denied", operation: "gone-operation", count: 30 });
    const { reasons } = reportOf([part([...people, local, bare, old])], ASKED);
    assert.equal(reasons.length, 10);
    const [first, second, third] = reasons;
    assert.deepEqual(
      [first?.statusName, first?.reason],
      ["CONNECT_FAILED", say("outcomes.local.CONNECT_FAILED.meaning")],
    );
    assert.match(first?.advice ?? "", /^Check the service address .* sending it again later is safe\.$/);
    assert.equal(second?.reason, deliveryText("failed"));
    assert.equal(third?.reason, say("record.outcome.denied"));
  });

  it("has each hour of its period, whatever happened in it, and what people wrote", () => {
    const from = STARTS + 1.5 * HOUR;
    const day = { ...DAY, from, to: STARTS + 4 * HOUR };
    const { steps, replies, optOuts } = reportOf(
      [
        {
          day,
          counts: { people: [count({ hour: 2 })], delays: [], replies: [{ hour: 3, count: 2 }] },
          optedOut: [from, STARTS + 3 * HOUR],
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

  it("says below what half and 95 % of the deliveries took, of what is wanted", () => {
    const delays = [
      { node: "n1", channel: "SMS", bucket: 3, count: 50 },
      { node: "n1", channel: "SMS", bucket: 65, count: 45 },
      { node: "n1", channel: "SMS", bucket: 122, count: 5 },
      { node: "n2", channel: "SMS", bucket: 160, count: 1_000 },
    ];
    const of = (node: string) => reportOf([part([], { delays })], { ...ASKED, node }).deliverySeconds;
    assert.deepEqual(of("n1"), { median: 3, p95: 300 });
    assert.equal(of("n3"), null);
  });

  it("is of the days of the account's zone, of which one has 23 and one 25 hours", () => {
    const days = daysOf(Date.parse("2025-03-29T12:00:00Z"), Date.parse("2025-03-31T12:00:00Z"), ZONE);
    assert.deepEqual(
      days.map(({ starts, ends }) => (ends - starts) / HOUR),
      [24, 23, 24],
    );
    assert.deepEqual(
      [days[0]?.from, days[1]?.from === days[1]?.starts, days.at(-1)?.to],
      [Date.parse("2025-03-29T12:00:00Z"), true, Date.parse("2025-03-31T12:00:00Z")],
    );
    const [autumn] = daysOf(Date.parse("2025-10-26T00:00:00Z"), Date.parse("2025-10-26T01:00:00Z"), ZONE);
    assert.equal(((autumn?.ends ?? 0) - (autumn?.starts ?? 0)) / HOUR, 25);
    assert.deepEqual(daysOf(STARTS, STARTS, ZONE), []);
  });
});
