import assert from "node:assert/strict";
import type { SeenResult } from "../support/crash/flow-log";
import type { LedgerEntry } from "./read-ledger";
import type { Treatment } from "../support/crash/service-process";
import type { KindRow } from "../support/crash/kind-row";
import { type Observed, settle } from "./settle";
import type { PlannedMessage } from "../support/crash/traffic";

const NUMBER = "41700000001";
const OTHER = "41700000002";
const ID = "crash-0";

/** One message to one number, or to two where it says so, with everything as it should be but what a test changes. */
interface Case {
  readonly two?: true;
  readonly ledger?: readonly LedgerEntry[];
  readonly seen?: readonly Partial<SeenResult>[];
  readonly arrivals?: readonly Treatment[];
  readonly accepted?: number;
  readonly underWay?: true;
  readonly taken?: false;
  readonly groups?: string[][];
}

const entry = (given: Partial<LedgerEntry> = {}): LedgerEntry => ({
  state: "emitted",
  outcome: "sent",
  settledBy: "answer",
  ...given,
});

function judge(given: Case): { row: KindRow; breaches: readonly string[] } {
  const recipients = given.two ? [NUMBER, OTHER] : [NUMBER];
  const message: PlannedMessage = {
    at: 0,
    id: ID,
    kind: given.two ? "few recipients" : "SMS",
    node: "n",
    recipients,
    wrong: [],
    fault: null,
  };
  const { ledger = [entry()], seen = [{}], arrivals = [null], accepted = 1, underWay, taken, groups } = given;
  const results = seen.map((each) => ({
    mark: ID,
    attempt: null,
    outcome: "sent",
    statusName: "OK",
    restored: false,
    life: 0,
    ...each,
  }));
  const each = <Value>(value: Value) => new Map(recipients.map((number) => [number, value]));
  const observed: Observed = {
    planned: [message],
    taken: new Set(taken === false ? [] : [ID]),
    underWay: new Map(underWay ? [[NUMBER, 1]] : []),
    seen: { results: each(results), groups: new Map(groups ? [[ID, groups]] : []), caught: [], life: 1 },
    service: { arrivals: each([...arrivals]), accepted: each(accepted), strange: [] },
    breaches: [],
  };
  const { rows, breaches } = settle(observed, each(ledger));
  const row = rows.at(-1);
  assert.ok(row);
  return { row, breaches };
}

const unknown = entry({ outcome: "unknown" });
const orphan = entry({ outcome: "unknown", settledBy: "orphan" });

describe("what the crash suite calls right", () => {
  const right: Readonly<Record<string, Case>> = {
    "a message that was sent": {},
    "one sent after other tries": { arrivals: ["statusCode 5003", "HTTP 429", "statusCode 4023", null] },
    "one that the service refused": {
      ledger: [entry({ outcome: "rejected" })],
      seen: [{ outcome: "rejected" }],
      arrivals: ["statusCode 4031"],
      accepted: 0,
    },
    "one whose answer was cut": { ledger: [unknown], seen: [{ outcome: "unknown" }], arrivals: ["cut-body"] },
    "one under way at a kill": {
      ledger: [orphan],
      seen: [{ outcome: "unknown", restored: true }],
      underWay: true,
    },
    "a result that was seen again": { seen: [{}, { restored: true, life: 1 }] },
    "a group whose results all came in a life that ended": { two: true, seen: [{ restored: true }, {}] },
    "a complete group, twice": {
      two: true,
      groups: [
        [OTHER, NUMBER],
        [NUMBER, OTHER],
      ],
    },
  };
  for (const [what, given] of Object.entries(right)) {
    it(what, () => assert.deepEqual(judge(given).breaches, []));
  }
});

describe("what the crash suite calls wrong", () => {
  const wrong: Readonly<Record<string, readonly [Case, RegExp]>> = {
    "a message sent twice": [{ arrivals: [null, null], accepted: 2 }, /sent more than once/],
    "another request after an unclear answer": [
      { arrivals: ["drop-after-accept", null] },
      /may have arrived/,
    ],
    "another request after a refusal": [{ arrivals: ["statusCode 4031", null] }, /may have arrived/],
    "no entry in the ledger": [{ ledger: [] }, /not exactly one outcome/],
    "two entries in the ledger": [{ ledger: [entry(), entry()] }, /not exactly one outcome/],
    "an entry that still waits": [{ ledger: [entry({ state: "queued", outcome: null })] }, /not exactly one/],
    "a result that did not leave": [{ ledger: [entry({ state: "settled" })] }, /not exactly one outcome/],
    "a message that was never taken": [{ taken: false }, /never taken/],
    "a result with another outcome": [{ seen: [{ outcome: "unknown" }] }, /another outcome than the ledger/],
    "a result seen twice without a mark": [{ seen: [{}, {}] }, /not marked as restored/],
    "a message without its own properties": [{ seen: [{ mark: null }] }, /without a property/],
    "unknown without a reason": [
      { ledger: [unknown], seen: [{ outcome: "unknown" }] },
      /neither a kill nor a cut/,
    ],
    "an orphan that was not under way": [
      { ledger: [orphan], seen: [{ outcome: "unknown" }], arrivals: ["garbage"] },
      /unknown for another reason/,
    ],
    "an orphan not marked as restored": [
      { ledger: [orphan], seen: [{ outcome: "unknown" }], underWay: true },
      /orphaned, and not marked/,
    ],
    "under way at a kill and sent after it": [{ underWay: true }, /is not unknown/],
    "called sent, and not taken by the service": [{ accepted: 0 }, /the service did not take it/],
    "called not sent, and taken by the service": [
      { ledger: [entry({ outcome: "retry-later" })], seen: [{ outcome: "retry-later" }] },
      /which nobody can say/,
    ],
    "no group in the last life": [{ two: true, seen: [{ life: 1 }] }, /no complete group/],
    "no result at all behind Join": [{ two: true, seen: [] }, /no complete group/],
    "a group that lacks somebody": [
      { two: true, seen: [{ life: 1 }], groups: [[NUMBER]] },
      /no complete group/,
    ],
    "a group with somebody twice": [
      { two: true, groups: [[NUMBER, OTHER, OTHER]] },
      /a group of other people/,
    ],
  };
  for (const [what, [given, words]] of Object.entries(wrong)) {
    it(what, () => assert.match(judge(given).breaches.join("\n"), words));
  }

  it("counts what was sent twice, lost, and left without an outcome", () => {
    assert.equal(judge({ accepted: 2 }).row.sentTwice, 1);
    const { lost, withoutOutcome } = judge({ ledger: [], seen: [], arrivals: [], accepted: 0 }).row;
    assert.deepEqual([lost, withoutOutcome], [1, 1]);
    assert.equal(judge({ seen: [] }).row.unseen, 1);
  });
});
