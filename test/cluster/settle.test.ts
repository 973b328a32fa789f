import { ID, observe, SENT, type SettleCase, testSettling } from "../support/crash/settle-cases";
import type { LedgerEntry } from "./cluster-database";
import type { Disturbance } from "./disturbances";
import { handInKey } from "./hand-in";
import { settle } from "./settle";

const LEFT = 1_000_000;
const SENT_ENTRY: LedgerEntry = {
  ...SENT,
  request: 1,
  job: "job",
  owner: "instance",
  leftAt: LEFT,
  settledAt: LEFT + 70_000,
};
const unknown: LedgerEntry = { ...SENT_ENTRY, outcome: "unknown" };
const orphan: LedgerEntry = { ...unknown, settledBy: "orphan" };
const proved: LedgerEntry = { ...SENT_ENTRY, settledBy: "event" };
const lateUnknown = { outcome: "unknown", restored: true };

interface Case extends SettleCase<LedgerEntry> {
  readonly disturbances?: readonly Disturbance[];
  readonly ungrouped?: true;
}

const done = (kind: Disturbance["kind"], seconds: number, node: number | null = 0): Disturbance => ({
  kind,
  node,
  from: LEFT + 100,
  to: LEFT + 100 + seconds * 1_000,
});

function settleCase(given: Case) {
  const { observed, ledger } = observe(given, SENT_ENTRY);
  const killedAt = given.underWay ? LEFT + 50 : Number.POSITIVE_INFINITY;
  return settle(
    {
      ...observed,
      disturbances: given.disturbances ?? [],
      owners: new Map([["instance", { name: "A", node: 0, killedAt }]]),
      seen: { ...observed.seen, events: [], hasEnded: (life) => life < 1 },
      takers: new Map([1, 2].map((attempt) => [handInKey(ID, attempt), 0])),
      ungrouped: new Set(given.ungrouped ? [ID] : []),
    },
    ledger,
  );
}

testSettling<LedgerEntry, Case>(
  "cluster",
  SENT_ENTRY,
  settleCase,
  {
    "one that was returned and handed in again": {
      seen: [{ attempt: 1, outcome: "retry-later", statusName: "STORE_UNAVAILABLE" }, { attempt: 2 }],
    },
    "one that a node did not know of when it stopped, and that was not in the store": {
      ledger: [],
      seen: [{ outcome: "unknown", statusName: "STORE_UNCERTAIN" }],
      arrivals: [],
      accepted: 0,
    },
    "one under way at a kill of the process that sent it for the one that took it": {
      underWay: true,
      ledger: [orphan],
      seen: [{ outcome: "unknown" }],
    },
    "one under way at a kill that an event proved": { underWay: true, ledger: [proved], seen: [lateUnknown] },
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
    "a group that a deploy ended": { two: true, seen: [{ life: 1, restored: true }], ungrouped: true },
  },
  {
    "no entry of what a node did not know of when it stopped, and that was requested": [
      { ledger: [], seen: [{ outcome: "unknown", statusName: "STORE_UNCERTAIN" }] },
      /not exactly one outcome/,
    ],
    "a result that no flow saw": [{ seen: [] }, /no flow saw its result/],
    "a message of which a flow saw only that it was returned": [
      { seen: [{ outcome: "retry-later", statusName: "STORE_UNAVAILABLE" }] },
      /no flow saw its result/,
    ],
    "unknown in one flow, and sent in another": [
      { seen: [{ outcome: "unknown" }, {}] },
      /another outcome than/,
    ],
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
    "under way at a kill and sent after it": [{ underWay: true }, /neither unknown nor proved/],
  },
);
