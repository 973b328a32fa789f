import assert from "node:assert/strict";
import { RATE } from "../../chaos/flows";
import { type HandedIn, judge, type Observations, type Rule, type SeenResult } from "../../chaos/judge";

const NUMBER = "41790000001";
const ID = "chaos-1";
const numbers = [NUMBER];
const here = { node: 0, life: 0 };
const sent = { outcome: "sent", statusName: "OK", restored: false };
const taken = { id: ID, sender: "sms-form", ...here, numbers, key: null } as const;
const message: HandedIn = { ...taken, handedAt: 1_000, fate: "accepted" };
const request = { at: 1_100, path: "/", isRated: false, numbers, answer: 2000, lostBy: null };
const acceptance = { number: NUMBER, at: 1_110 };
const result: SeenResult = { ...here, at: 1_200, mark: ID, numbers, ...sent };
const unknown: SeenResult = { ...result, outcome: "unknown", statusName: "PROCESS_ENDED" };
const stored = { clientId: ID, number: NUMBER, state: "emitted", pid: 7 };
const row = { ...stored, outcome: "sent", settledBy: "answer", delivery: null };
const unknownRow = { ...row, outcome: "unknown", settledBy: "process-ended" };
const event = { ...here, at: 1_300, kind: "report", key: "event", possibleDuplicate: false };
const gathered = { key: "pump", count: 1, over: false, ids: ["a"], restored: false };
const digest = { ...here, at: 1_300, id: "d", ...gathered };
const wait = { ...here, at: 1_400, mark: ID, restored: false };
const kill = { kind: "kill", reach: "process", node: 0, from: 1_150, to: 1_160 } as const;

/** A run with one message, all of it right but for what is given. */
const observe = (given: Partial<Observations> = {}): Observations => ({
  storage: "sqlite",
  messages: new Map([[ID, message]]),
  requests: [request],
  stalls: [],
  acceptances: [acceptance],
  results: [result],
  waits: [],
  history: [row],
  processes: new Map([[7, 0]]),
  made: [{ key: "event", number: null, status: null }],
  events: [event],
  gathered: new Map([["a", { key: "pump", isAccepted: true }]]),
  digests: [digest],
  disturbances: [],
  logged: 0,
  breaches: [],
  ...given,
});
const withMessage = (change: Partial<HandedIn>) => ({ messages: new Map([[ID, { ...message, ...change }]]) });
const lost = { ...request, answer: null, lostBy: "client" };
const rate = { ...request, numbers: [], isRated: true };
const rated = (count: number) =>
  Array.from({ length: count }, (_none, index) => ({ ...rate, at: 5_000 + index }));
const nothing = { requests: [], acceptances: [], results: [], history: [] };
const orphan = { results: [unknown], history: [unknownRow] };
const restored = { ...result, restored: true };

const RIGHT: Readonly<Record<string, Partial<Observations>>> = {
  "a message that is sent": {},
  "a message under way at a kill": { ...orphan, requests: [lost], disturbances: [kill] },
  "a message that an event proves": {
    ...{ results: [{ ...unknown, at: 3_000 }], history: [{ ...row, settledBy: "event" }] },
    ...{ requests: [lost], disturbances: [kill] },
  },
  "a result that is restored after a kill": { results: [result, restored], disturbances: [kill] },
  "a message that a kill kept from the store": { ...nothing, ...withMessage({ fate: "missing" }) },
  "an event that another process receives after a kill": {
    events: [{ ...event, node: 1, at: 90_000, possibleDuplicate: true }, event],
    disturbances: [kill],
  },
  "an event that a flow receives again because it stopped": {
    events: [event, { ...event, at: 1_900, possibleDuplicate: true }],
    disturbances: [{ ...kill, reach: "flows", from: 1_250, to: 1_400 }],
  },
  "a message of stopped flows that is in the log": { storage: "memory", results: [], logged: 1 },
  "a request that is repeated after 5003": { requests: [{ ...request, answer: 5003 }, request] },
  "a message that is sent after an uncertain acceptance": {
    results: [
      { ...unknown, at: 1_050, statusName: "STORE_UNCERTAIN" },
      { ...result, restored: true },
    ],
    disturbances: [{ ...kill, from: 1_000, to: 1_040 }],
  },
  "a full second of the rate": { storage: "postgresql", requests: [request, ...rated(RATE + 1)] },
};

const WRONG: Readonly<Record<Rule, Readonly<Record<string, Partial<Observations>>>>> = {
  twice: {
    "a message that the service accepts twice": { acceptances: [acceptance, acceptance] },
    "a request after an uncertain response": { requests: [lost, request] },
    "a request for a message that is not stored": withMessage({ fate: "missing" }),
  },
  lost: { "a message without a trace": nothing },
  "without outcome": {
    "a message that stays queued": { history: [{ ...row, state: "queued", outcome: null }] },
    "a message that is stored twice": { history: [row, row] },
  },
  "wrong outcome": {
    "a sent message that the service lacks": { acceptances: [] },
    "a rejected message that the service accepted": { results: [{ ...result, outcome: "rejected" }] },
    "another outcome in the history": { history: [{ ...row, outcome: "rejected" }] },
  },
  unknown: {
    "an unknown message of a live process": orphan,
    "an unknown message after a kill of another process": { ...orphan, disturbances: [{ ...kill, node: 1 }] },
  },
  "sent after unknown": {
    "a request of a thawed process": {
      ...orphan,
      requests: [{ ...request, at: 9_000 }],
      disturbances: [kill],
    },
  },
  "result missing": { "a result that no flow receives": { results: [] } },
  "result again": {
    "a result that is emitted twice": { results: [result, { ...result, at: 1_300 }] },
    "a result that is restored without a reason": { results: [result, restored] },
  },
  wait: {
    "a wait that does not end": withMessage({ sender: "wait" }),
    "a wait that ends twice": { waits: [wait, wait] },
  },
  "event lost": { "an event that no flow receives": { events: [] } },
  "event again": {
    "an event that two flows receive": { events: [event, { ...event, node: 1 }] },
    "a marked event without a reason": { events: [event, { ...event, possibleDuplicate: true }] },
    "an event that a living process repeats after a kill": {
      events: [event, { ...event, at: 1_900, possibleDuplicate: true }],
      disturbances: [kill],
    },
  },
  delivery: {
    "a report that moves nothing": { made: [{ key: "event", number: NUMBER, status: "delivered" }] },
  },
  rate: { "a second with too many requests": { storage: "postgresql", requests: rated(RATE + 2) } },
  digest: {
    "a digest that is emitted twice": { digests: [digest, { ...digest, node: 1 }] },
    "a digest that is restored without a reason": { digests: [digest, { ...digest, restored: true }] },
    "a message in two digests": { digests: [digest, { ...digest, id: "e", restored: true }] },
    "a message in no digest": { digests: [] },
    "a digest with a wrong count": { digests: [{ ...digest, count: 2 }] },
  },
  breach: { "a line that must not be in a log": { breaches: ["TypeError"] } },
};

describe("Judge of chaos", () => {
  for (const [what, given] of Object.entries(RIGHT)) {
    it(`accepts ${what}`, () => {
      assert.deepEqual(judge(observe(given)), []);
    });
  }

  for (const [rule, cases] of Object.entries(WRONG)) {
    for (const [what, given] of Object.entries(cases)) {
      it(`finds ${what}`, () => {
        const rules: readonly string[] = judge(observe(given)).map((verdict) => verdict.rule);
        assert.ok(rules.includes(rule), `found ${rules.join(", ")}`);
      });
    }
  }
});
