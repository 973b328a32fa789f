import assert from "node:assert/strict";
import type { SeenResult } from "../support/crash/flow-log";
import type { KindRow } from "../support/crash/kind-row";
import type { Treatment } from "../support/crash/service-process";
import type { PlannedMessage } from "../support/crash/traffic";
import type { LedgerEntry } from "./cluster-database";
import type { Disturbance } from "./disturbances";
import { handInKey } from "./hand-in";
import { settle } from "./settle";

const NUMBER = "41700000001";
const OTHER = "41700000002";
const ID = "crash-0";
const LEFT = 1_000_000;

/** One message to one number, or to two where it says so, with everything as it should be but what a test changes. */
interface Case {
  readonly two?: true;
  readonly ledger?: readonly LedgerEntry[];
  readonly seen?: readonly Partial<SeenResult>[];
  readonly arrivals?: readonly Treatment[];
  readonly accepted?: number;
  /** Its process was killed while it was under way. */
  readonly killed?: true;
  readonly disturbances?: readonly Disturbance[];
  readonly groups?: string[][];
  readonly ungrouped?: true;
}

const entry = (given: Partial<LedgerEntry> = {}): LedgerEntry => ({
  request: 1,
  job: "job",
  state: "emitted",
  outcome: "sent",
  settledBy: "answer",
  owner: "instance",
  leftAt: LEFT,
  settledAt: LEFT + 70_000,
  ...given,
});
const done = (kind: Disturbance["kind"], seconds: number, node: number | null = 0): Disturbance => ({
  kind,
  node,
  from: LEFT + 100,
  to: LEFT + 100 + seconds * 1_000,
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
  const { ledger = [entry()], seen = [{}], arrivals = [null], accepted = 1, groups } = given;
  const results = seen.map((each) => ({
    mark: ID,
    attempt: 1,
    outcome: "sent",
    statusName: "OK",
    restored: false,
    life: 0,
    ...each,
  }));
  const each = <Value>(value: Value) => new Map(recipients.map((number) => [number, value]));
  const { rows, breaches } = settle(
    {
      planned: [message],
      underWay: new Map(given.killed ? [[NUMBER, 1]] : []),
      disturbances: given.disturbances ?? [],
      owners: new Map([
        ["instance", { name: "A", node: 0, killedAt: given.killed ? LEFT + 50 : Number.POSITIVE_INFINITY }],
      ]),
      seen: {
        results: each(results),
        groups: new Map(groups ? [[ID, groups]] : []),
        caught: [],
        events: [],
        hasEnded: (life) => life < 1,
      },
      takers: new Map([1, 2].map((attempt) => [handInKey(ID, attempt), 0])),
      ungrouped: new Set(given.ungrouped ? [ID] : []),
      service: { arrivals: each([...arrivals]), accepted: each(accepted), strange: [] },
      breaches: [],
    },
    each(ledger),
  );
  const row = rows.at(-1);
  assert.ok(row);
  return { row, breaches };
}

const unknown = entry({ outcome: "unknown" });
const orphan = entry({ outcome: "unknown", settledBy: "orphan" });
const proved = entry({ settledBy: "event" });
const lateUnknown = { outcome: "unknown", restored: true };

describe("what the cluster suite calls right", () => {
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
    "one that was returned and handed in again": {
      seen: [{ attempt: 1, outcome: "retry-later", statusName: "STORE_UNAVAILABLE" }, { attempt: 2 }],
    },
    "one that a node did not know of when it stopped, and that was not in the store": {
      ledger: [],
      seen: [{ outcome: "unknown", statusName: "STORE_UNCERTAIN" }],
      arrivals: [],
      accepted: 0,
    },
    "one under way at a kill": { killed: true, ledger: [orphan], seen: [lateUnknown] },
    "one under way at a kill of the process that sent it for the one that took it": {
      killed: true,
      ledger: [orphan],
      seen: [{ outcome: "unknown" }],
    },
    "one under way at a kill that an event proved": { killed: true, ledger: [proved], seen: [lateUnknown] },
    "one whose process was stopped for longer than the lease": {
      ledger: [orphan],
      seen: [lateUnknown],
      disturbances: [done("freeze", 66)],
    },
    "one that was called unknown until its process went on": {
      seen: [lateUnknown, {}],
      disturbances: [done("freeze", 66)],
    },
    "one whose answer did not come to a stopped process in time": {
      ledger: [unknown],
      seen: [{ outcome: "unknown" }],
      disturbances: [done("pause", 10)],
    },
    "one under way while PostgreSQL stood still": {
      ledger: [orphan],
      seen: [lateUnknown],
      disturbances: [done("frozenStore", 70, null)],
    },
    "a result that was seen again": { seen: [{}, { restored: true }] },
    "a complete group": { two: true, groups: [[OTHER, NUMBER]] },
    "a group whose results all came in a life that ended": { two: true, seen: [{ life: 0 }] },
    "a group that a deploy ended": { two: true, seen: [{ life: 1, restored: true }], ungrouped: true },
  };
  for (const [what, given] of Object.entries(right)) {
    it(what, () => assert.deepEqual(judge(given).breaches, []));
  }
});

describe("what the cluster suite calls wrong", () => {
  const wrong: Readonly<Record<string, readonly [Case, RegExp]>> = {
    "a message sent twice": [
      { arrivals: [null, null], accepted: 2 },
      /crash-0 41700000001: sent more than once/,
    ],
    "another request after an unclear answer": [
      { arrivals: ["drop-after-accept", null] },
      /may have arrived/,
    ],
    "no entry in the store": [{ ledger: [] }, /not exactly one outcome/],
    "no entry of what a node did not know of when it stopped, and that was requested": [
      { ledger: [], seen: [{ outcome: "unknown", statusName: "STORE_UNCERTAIN" }] },
      /not exactly one outcome/,
    ],
    "two entries in the store": [{ ledger: [entry(), entry({ request: 2 })] }, /not exactly one outcome/],
    "an entry that still waits": [{ ledger: [entry({ state: "queued", outcome: null })] }, /not exactly one/],
    "a result that did not leave": [{ ledger: [entry({ state: "settled" })] }, /not exactly one outcome/],
    "a result that no flow saw": [{ seen: [] }, /no flow saw its result/],
    "a message of which a flow saw only that it was returned": [
      { seen: [{ outcome: "retry-later", statusName: "STORE_UNAVAILABLE" }] },
      /no flow saw its result/,
    ],
    "a result with another outcome": [{ seen: [{ outcome: "rejected" }] }, /another outcome than the store/],
    "unknown in a flow and nowhere else": [{ seen: [{ outcome: "unknown" }, {}] }, /another outcome than/],
    "a result seen twice without a mark": [{ seen: [{}, {}] }, /not marked as restored/],
    "a message without its own properties": [{ seen: [{ mark: null }] }, /without a property/],
    "unknown without a reason": [{ ledger: [unknown], seen: [{ outcome: "unknown" }] }, /nothing was done/],
    "unknown after something was done to another Node-RED": [
      { ledger: [unknown], seen: [{ outcome: "unknown" }], disturbances: [done("pause", 10, 1)] },
      /nothing was done/,
    ],
    "unknown after a deploy": [
      { ledger: [unknown], seen: [{ outcome: "unknown" }], disturbances: [done("deploy", 1)] },
      /nothing was done/,
    ],
    "an orphan of a process that lives": [
      { ledger: [orphan], seen: [lateUnknown] },
      /neither killed nor silent/,
    ],
    "an orphan of a process that was silent for a moment": [
      { ledger: [orphan], seen: [lateUnknown], disturbances: [done("pause", 10)] },
      /neither killed nor silent/,
    ],
    "a result of another process that is not marked as restored": [
      { seen: [{ life: 1 }] },
      /not marked as restored, although another process took it/,
    ],
    "under way at a kill and sent after it": [{ killed: true }, /neither unknown nor proved/],
    "called sent, and not taken by the service": [{ accepted: 0 }, /the service did not take it/],
    "called not sent, and taken by the service": [
      { ledger: [entry({ outcome: "retry-later" })], seen: [{ outcome: "retry-later" }] },
      /which nobody can say/,
    ],
    "no group in a life that went on": [{ two: true, seen: [{ life: 1 }] }, /no complete group/],
    "no result at all behind Join": [{ two: true, seen: [] }, /no complete group/],
    "a group that lacks somebody": [
      { two: true, seen: [{ life: 1 }], groups: [[NUMBER]] },
      /no complete group/,
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
