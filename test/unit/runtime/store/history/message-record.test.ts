import assert from "node:assert/strict";
import type { HistoryEntry } from "../../../../../lib/store/history/history-entry";
import { messageRecord } from "../../../../../lib/runtime/store/history/message-record";
import { toTimeline } from "../../../../../lib/runtime/store/history/message-timeline";

const TAKEN = Date.parse("2025-06-01T12:00:00Z");

const ANSWER = JSON.stringify({
  statusCode: 2000,
  statusName: "OK",
  statusMessage: "The service accepted the request and sent it on.",
  advice: "A delivery report says whether the message arrived.",
  fault: null,
  httpStatus: 200,
  source: "service",
  parameter: null,
  smsCount: 1,
  retry: "never",
  test: true,
});

const entry = (given: Partial<HistoryEntry> = {}): HistoryEntry => ({
  job: 3,
  request: 17,
  part: 1,
  place: 2,
  account: "a1",
  node: "n1",
  channel: "SMS",
  operation: "sms-json",
  simulated: true,
  number: "41790000001",
  person: null,
  clientMessageId: "c1",
  transferId: "t1",
  state: "emitted",
  due: null,
  leftAt: null,
  attempts: 1,
  outcome: "sent",
  settledBy: "response",
  answer: ANSWER,
  takenAt: TAKEN,
  settledAt: TAKEN + 1_000,
  delivery: null,
  deliveryAt: null,
  cursor: [TAKEN, 3, 1],
  ...given,
});

describe("the record of a message", () => {
  it("has every column, the number with plus, times in ISO 8601, and the response", () => {
    assert.deepEqual(messageRecord(entry({ delivery: "delivered", deliveryAt: TAKEN + 5_000 })), {
      id: "17-2",
      job: 3,
      request: 17,
      part: 1,
      place: 2,
      account: "a1",
      node: "n1",
      channel: "SMS",
      operation: "sms-json",
      recipient: "+41790000001",
      row: null,
      state: "done",
      meaning: "The service accepted it. It was delivered.",
      name: null,
      outcome: "sent",
      statusCode: 2000,
      statusName: "OK",
      statusMessage: "The service accepted the request and sent it on.",
      advice: "Nothing to do.",
      parameter: null,
      httpStatus: 200,
      smsCount: 1,
      source: "service",
      transferId: "t1",
      clientMessageId: "c1",
      attempts: 1,
      takenAt: "2025-06-01T12:00:00.000Z",
      dueAt: null,
      settledAt: "2025-06-01T12:00:01.000Z",
      delivery: "delivered",
      deliveryAt: "2025-06-01T12:00:05.000Z",
      settledBy: "response",
      test: true,
      simulated: true,
    });
  });

  const open = { outcome: null, settledBy: null, answer: null, settledAt: null };
  const STATES: readonly [state: string, due: number | null, expected: string, meaning: string][] = [
    ["filling", null, "waiting", "It waits in the queue."],
    ["queued", null, "waiting", "It waits in the queue."],
    ["queued", TAKEN + 9_000, "waiting", "It waits for its next attempt."],
    ["paused", null, "paused", "It is paused."],
    ["orphaned", null, "without-node", "It waits, but the node that took it no longer exists."],
    ["sending", null, "sending", "It is being sent; there is no answer yet."],
  ];
  it("describes each state of a request", () => {
    for (const [state, due, expected, meaning] of STATES) {
      const record = messageRecord(entry({ ...open, state, due }));
      assert.deepEqual(
        [record.state, record.meaning, record.outcome, record.dueAt],
        [expected, meaning, null, due === null ? null : "2025-06-01T12:00:09.000Z"],
      );
    }
  });

  it("names what decided the outcome when there was no response", () => {
    const meaning = (given: Partial<HistoryEntry>): string => messageRecord(entry(given)).meaning;
    assert.match(
      meaning({ outcome: "unknown", settledBy: "process-ended", answer: null }),
      /^Node-RED ended/,
    );
    assert.match(meaning({ settledBy: "event" }), /a report of the service shows/);
    assert.match(meaning({ outcome: "retry-later", settledBy: "cancel" }), /^It was cancelled/);
    assert.match(meaning({ delivery: "expired" }), /It was not delivered in time\.$/);
    assert.match(meaning({ delivery: "on hold" }), /The service reported: on hold\.$/);
    assert.match(meaning({ delivery: "undelivered" }), /It has not been delivered yet\.$/);
  });

  it("has nulls when the stored response is unreadable", () => {
    for (const answer of [null, "", "null", "[1", '"text"', '{"statusCode":"2000","advice":4}']) {
      const { statusCode, statusName, advice, source, test } = messageRecord(entry({ answer }));
      assert.deepEqual([statusCode, statusName, advice, source, test], [null, null, null, null, false]);
    }
  });
});

describe("the timeline of a message", () => {
  const event = { number: "41790000001", receivedAt: TAKEN, body: null };

  it("has the message first, then answer, reports and replies by their time", () => {
    const steps = toTimeline(
      entry(),
      [
        { ...event, kind: "report", status: "read", at: TAKEN + 9_000 },
        { ...event, kind: "report", status: "accepted", at: TAKEN + 500 },
        { ...event, kind: "report", status: "delivered", at: TAKEN + 5_000 },
      ],
      [{ ...event, kind: "inbound", status: null, at: TAKEN + 7_000, body: '{"content":"yes"}' }],
    );
    assert.deepEqual(
      steps.map(({ kind, at, status, body }) => [kind, at.slice(17), status, body]),
      [
        ["queued", "00.000Z", null, null],
        // The service has reported it before its answer was here.
        ["answered", "01.000Z", null, null],
        ["status", "00.500Z", "accepted", null],
        ["delivered", "05.000Z", "delivered", null],
        ["reply", "07.000Z", null, '{"content":"yes"}'],
        ["read", "09.000Z", "read", null],
      ],
    );
    assert.equal(steps[1]!.outcome, "sent");
    assert.equal(steps[2]!.text, "The service has taken it over.");
  });

  it("shows the unknown outcome that a report has settled", () => {
    const [, settled, proof] = toTimeline(
      entry({ settledBy: "event" }),
      [{ ...event, kind: "report", status: "delivered", at: TAKEN + 5_000 }],
      [],
    );
    assert.deepEqual([settled?.kind, settled?.outcome, proof?.kind], ["answered", "unknown", "delivered"]);
    const [, lost] = toTimeline(entry({ settledBy: "event", answer: null }), [], []);
    assert.deepEqual([lost?.kind, lost?.outcome], ["interrupted", "unknown"]);
  });

  it("names the end of Node-RED, a user's decision, and a message under way", () => {
    const second = (given: Partial<HistoryEntry>) => toTimeline(entry(given), [], [])[1]?.kind;
    assert.equal(second({ outcome: "unknown", settledBy: "process-ended", answer: null }), "interrupted");
    assert.equal(second({ outcome: "retry-later", settledBy: "cancel" }), "cancelled");
    const open = { outcome: null, settledBy: null, settledAt: null };
    assert.equal(second({ ...open, state: "sending", leftAt: TAKEN + 500 }), "sending");
    assert.equal(second({ ...open, state: "queued" }), undefined);
  });
});
