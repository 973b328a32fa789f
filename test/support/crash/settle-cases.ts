import assert from "node:assert/strict";
import type { SeenResult } from "./flow-log";
import type { Treatment } from "./service-process";
import type { ObservedRun, Settled } from "./settle-people";

export const NUMBER = "41700000001";
const OTHER = "41700000002";
export const ID = "crash-0";

/** What both suites write down of a request in the store. */
interface Entry {
  readonly state: string;
  readonly outcome: string | null;
  readonly settledBy: string | null;
}

/** One message to one number, or to two where it says so, with everything as it should be but what a test changes. */
export interface SettleCase<LedgerEntry> {
  readonly two?: true;
  readonly ledger?: readonly LedgerEntry[];
  readonly seen?: readonly Partial<SeenResult>[];
  readonly arrivals?: readonly Treatment[];
  readonly accepted?: number;
  /** Its process was killed while it was under way. */
  readonly underWay?: true;
  readonly groups?: string[][];
}

export const SENT: Entry = { state: "emitted", outcome: "sent", settledBy: "answer" };

/** What there is to compare in a case, and the entries of the store by number. */
export function observe<LedgerEntry>(given: SettleCase<LedgerEntry>, sent: LedgerEntry) {
  const { ledger = [sent], seen = [{}], arrivals = [null], accepted = 1, underWay, groups } = given;
  const recipients = given.two ? [NUMBER, OTHER] : [NUMBER];
  const each = <Value>(value: Value) => new Map(recipients.map((number) => [number, value]));
  const result = { mark: ID, attempt: 1, outcome: "sent", statusName: "OK", restored: false, life: 0 };
  const kind = given.two ? "few recipients" : "SMS";
  const observed = {
    planned: [{ at: 0, id: ID, kind, node: "n", recipients, wrong: [], fault: null }],
    underWay: new Map(underWay ? [[NUMBER, 1]] : []),
    seen: {
      results: each(seen.map((changed) => ({ ...result, ...changed }))),
      groups: new Map(groups ? [[ID, groups]] : []),
      caught: [],
    },
    service: { arrivals: each([...arrivals]), accepted: each(accepted), strange: [] },
    breaches: [],
  } satisfies ObservedRun;
  return { observed, ledger: each(ledger) };
}

type Right<Case> = Readonly<Record<string, Case>>;
type Wrong<Case> = Readonly<Record<string, readonly [Case, RegExp]>>;

/**
 * What both suites call right and wrong, and what one of them does beyond it.
 * @param sent entry of a message that was sent
 */
export function testSettling<LedgerEntry extends Entry, Case extends SettleCase<LedgerEntry>>(
  suite: string,
  sent: LedgerEntry,
  settle: (given: Case | SettleCase<LedgerEntry>) => Settled,
  right: Right<Case>,
  wrong: Wrong<Case>,
): void {
  const entry = (given: Partial<Entry>): LedgerEntry => ({ ...sent, ...given });
  const bothRight: Right<SettleCase<LedgerEntry>> = {
    "a message that was sent": {},
    "one sent after other tries": { arrivals: ["statusCode 5003", "HTTP 429", "statusCode 4023", null] },
    "one that the service refused": {
      ledger: [entry({ outcome: "rejected" })],
      seen: [{ outcome: "rejected" }],
      arrivals: ["statusCode 4031"],
      accepted: 0,
    },
    "one whose answer was cut": {
      ledger: [entry({ outcome: "unknown" })],
      seen: [{ outcome: "unknown" }],
      arrivals: ["cut-body"],
    },
    "one under way at a kill": {
      ledger: [entry({ outcome: "unknown", settledBy: "orphan" })],
      seen: [{ outcome: "unknown", restored: true }],
      underWay: true,
    },
    "a result that was seen again": { seen: [{}, { restored: true, life: 1 }] },
    "a group whose results all came in a life that ended": { two: true, seen: [{ restored: true }, {}] },
    "a complete group": { two: true, groups: [[OTHER, NUMBER]] },
    "a complete group, twice": {
      two: true,
      groups: [
        [OTHER, NUMBER],
        [NUMBER, OTHER],
      ],
    },
  };
  const bothWrong: Wrong<SettleCase<LedgerEntry>> = {
    "a message sent twice": [
      { arrivals: [null, null], accepted: 2 },
      /crash-0 41700000001: sent more than once/,
    ],
    "another request after an unclear answer": [
      { arrivals: ["drop-after-accept", null] },
      /may have arrived/,
    ],
    "another request after a refusal": [{ arrivals: ["statusCode 4031", null] }, /may have arrived/],
    "no entry in the store": [{ ledger: [] }, /not exactly one outcome/],
    "two entries in the store": [{ ledger: [sent, sent] }, /not exactly one outcome/],
    "an entry that still waits": [{ ledger: [entry({ state: "queued", outcome: null })] }, /not exactly one/],
    "a result that did not leave": [{ ledger: [entry({ state: "settled" })] }, /not exactly one outcome/],
    "a result with another outcome": [{ seen: [{ outcome: "rejected" }] }, /another outcome than the store/],
    "unknown in a flow and nowhere else": [{ seen: [{ outcome: "unknown" }] }, /another outcome than/],
    "a result seen twice without a mark": [{ seen: [{}, {}] }, /not marked as restored/],
    "a message without its own properties": [{ seen: [{ mark: null }] }, /without a property/],
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
    "a group with somebody twice": [
      { two: true, groups: [[NUMBER, OTHER, OTHER]] },
      /a group of other people/,
    ],
  };

  describe(`what the ${suite} suite calls right`, () => {
    for (const [what, given] of Object.entries({ ...bothRight, ...right })) {
      it(what, () => assert.deepEqual(settle(given).breaches, []));
    }
  });

  describe(`what the ${suite} suite calls wrong`, () => {
    for (const [what, [given, words]] of Object.entries({ ...bothWrong, ...wrong })) {
      it(what, () => assert.match(settle(given).breaches.join("\n"), words));
    }

    it("counts what was sent twice, lost, and left without an outcome", () => {
      const sum = (given: SettleCase<LedgerEntry>) => settle(given).rows.at(-1);
      assert.equal(sum({ accepted: 2 })?.sentTwice, 1);
      const lost = sum({ ledger: [], seen: [], arrivals: [], accepted: 0 });
      assert.deepEqual([lost?.lost, lost?.withoutOutcome], [1, 1]);
      assert.equal(sum({ seen: [] })?.unseen, 1);
    });
  });
}
