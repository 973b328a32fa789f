import assert from "node:assert/strict";
import { LastResults } from "../../../../lib/runtime/activity/last-results";
import { healthReasons, STUCK_AFTER } from "../../../../lib/runtime/log/account-health";
import type { Found } from "../../../../lib/runtime/log/account-state";
import type { Present } from "../../../../lib/store/history/present";

const NOW = Date.parse("2025-06-01T12:00:00Z");
const LONG = STUCK_AFTER;

const PRESENT: Present = {
  ...{ ready: 0, waiting: 0, forRule: 0, forRetry: 0, held: 0, parked: 0, leaving: 0 },
  ...{ nextDue: null, oldest: null, unknown: 0, spentHour: 0, spentDay: 0, bytes: 1 },
};

const found = (given: Partial<Found> = {}): Found => ({
  ...{ now: NOW, fault: null, storeFault: null, stopped: null, present: PRESENT, mayLeave: 0 },
  ...{ limits: { hour: null, day: null }, freeBytes: null, stuckSince: null },
  last: { acceptedAt: null, failure: null, lasting: null },
  ...given,
});

const FAILURE = {
  ...{ at: "", time: NOW - 2_000, outcome: "denied", statusCode: 4021, statusName: "INVALID_ACCOUNT" },
  ...{ reason: "The account is wrong.", advice: "Mend it." },
};

/** First words of each reason. */
const reasonsOf = (given: Partial<Found>): readonly string[] =>
  healthReasons(found(given)).map((reason) => reason.split(" ").slice(0, 3).join(" "));

describe("the health of an account", () => {
  const { uptime } = process;
  beforeEach(() => {
    process.uptime = () => 1e6;
  });
  after(() => {
    process.uptime = uptime;
  });

  it("is given while nothing is wrong, also where much waits for its time, a person or a rule", () => {
    assert.deepEqual(reasonsOf({}), []);
    assert.deepEqual(reasonsOf({ present: { ...PRESENT, waiting: 9, forRule: 5, held: 3 } }), []);
  });

  it("ends where messages that may leave have waited long, and none was accepted meanwhile", () => {
    const oldest = NOW - LONG;
    const present = { ...PRESENT, ready: 4, oldest };
    const waits = { present, mayLeave: 4 };
    const acceptedAt = (at: number) => ({ last: { acceptedAt: at, failure: null, lasting: null } });
    assert.match(healthReasons(found(waits))[0] ?? "", /^Messages wait since Jun 1, 2025, .*requests: 4/);
    assert.deepEqual(reasonsOf({ ...waits, ...acceptedAt(NOW - LONG) }), ["Messages wait since"]);
    assert.deepEqual(
      reasonsOf({ ...waits, ...acceptedAt(NOW - LONG + 1) }),
      [],
      "a long list is sent slowly",
    );
    assert.deepEqual(reasonsOf({ present: { ...present, oldest: oldest + 1 }, mayLeave: 4 }), []);
    assert.deepEqual(reasonsOf({ ...waits, stopped: { since: NOW } }), ["A person has"], "one cause, once");
    process.uptime = () => 60;
    assert.deepEqual(reasonsOf(waits), [], "right after a start it is sent just now");
    assert.deepEqual(reasonsOf({ ...waits, stuckSince: oldest }), ["Messages wait since"]);
    assert.deepEqual(reasonsOf({ ...waits, stuckSince: oldest + 1 }), []);
  });

  it("ends with a failure that the next message would meet, until one is accepted", () => {
    const last = { acceptedAt: NOW - 3_000, failure: null, lasting: FAILURE };
    const [reason = ""] = healthReasons(found({ last }));
    assert.match(reason, /as well\. The account is wrong\. Mend it\.$/);
    assert.deepEqual(reasonsOf({ last: { ...last, acceptedAt: null } }), ["The last message"]);
    assert.deepEqual(reasonsOf({ last: { ...last, acceptedAt: NOW - 1_000 } }), []);
  });

  it("ends with settings, store, limits, nodes and disk, each with what to do", () => {
    const use = { limit: 2_000, used: 2_000, left: 0, ends: new Date(NOW).toISOString() };
    assert.deepEqual(
      reasonsOf({
        stopped: { since: null },
        fault: "It is 3.",
        storeFault: "It is full.",
        limits: { hour: use, day: { ...use, left: 1 } },
        present: { ...PRESENT, parked: 3 },
        freeBytes: 100 * 1024 * 1024 - 1,
      }),
      [
        "The settings of",
        "Nothing can be",
        "The message store",
        "The limit of",
        "Messages wait whose",
        "The disk with",
      ],
    );
    assert.deepEqual(reasonsOf({ freeBytes: 100 * 1024 * 1024 }), []);
    assert.deepEqual(reasonsOf({ limits: { hour: null, day: { ...use, left: 1 } } }), []);
  });
});

describe("what messages came to last", () => {
  const entry = {
    ...{
      account: "a1",
      node: "n1",
      template: null,
      channel: "sms",
      who: "",
      count: 2,
      code: null,
      status: "",
    },
    ...{ simulated: false, name: "NAME" },
  } as const;
  const note = (last: LastResults, given: object, at = NOW) =>
    last.note({ ...entry, ...given } as never, null, at);

  it("are messages alone, and no results that a person, a deploy or a rule has decided", () => {
    const last = new LastResults();
    for (const given of [
      { result: "denied", channel: "media" },
      { result: "received", channel: "webhook" },
      { result: "retry-later", name: "CANCELLED" },
      { result: "retry-later", name: "CLOSING" },
      { result: "skipped" },
    ]) {
      note(last, given);
    }
    assert.deepEqual([last.acceptedAt, last.failure, last.lastingFailure], [null, null, null]);
  });

  it("of those of before a restart not the older ones, which come later", () => {
    const last = new LastResults();
    note(last, { result: "sent" }, NOW);
    note(last, { result: "queued" }, NOW - 9_000);
    note(last, { result: "denied" }, NOW - 1_000);
    note(last, { result: "unknown", name: "PROCESS_ENDED" }, NOW);
    note(last, { result: "retry-later" }, NOW - 5_000);
    note(last, { result: "rejected" }, NOW - 2_000);
    assert.equal(last.acceptedAt, NOW);
    assert.deepEqual([last.failure?.statusName, last.lastingFailure?.outcome], ["PROCESS_ENDED", "denied"]);
  });

  it("count the people of the last hour whose message is unknown", () => {
    const last = new LastResults();
    for (let minute = 0; minute < 100; minute++) {
      note(last, { result: "unknown" }, NOW + minute * 60_000);
    }
    assert.equal(last.unknownOfHour(NOW + 99 * 60_000), 120);
    assert.equal(last.unknownOfHour(NOW + 129 * 60_000), 60);
  });

  it("say since when each look has found messages that wait, and none that was accepted since", () => {
    const last = new LastResults();
    assert.equal(last.seen(false, null, 1), null);
    assert.equal(last.seen(true, null, 2), 2);
    assert.equal(last.seen(true, 1, 3), 2);
    assert.equal(last.seen(true, 2, 4), 4, "one was accepted");
    assert.equal(last.seen(true, 2, 5), 4);
    assert.equal(last.seen(false, 2, 6), null);
    assert.equal(last.seen(true, 2, 7), 7);
  });
});
