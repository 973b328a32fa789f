import assert from "node:assert/strict";
import type { Disturbance } from "./disturbances";
import type { EventAt } from "./seen-by-all";
import { eventKey, settleEvents } from "./settle-events";

const EVENT = { notificationId: "1", senderAddress: "41700000001" };
const MADE = new Set([eventKey(EVENT)]);

const seen = (given: Partial<EventAt> = {}): EventAt => ({
  payload: EVENT,
  possibleDuplicate: false,
  life: 0,
  readAt: 100_000,
  node: 0,
  ...given,
});
const kill = (node: number, from: number): Disturbance => ({ kind: "kill", node, from, to: from });
const words = (all: readonly EventAt[], done: readonly Disturbance[] = []): string =>
  settleEvents(MADE, all, done).breaches.join("\n");

describe("what the cluster suite says of events", () => {
  it("takes one that one flow saw", () => {
    assert.deepEqual(settleEvents(MADE, [seen()], []), { made: 1, seen: 1, again: 0, breaches: [] });
  });

  it("takes a marked copy after its Node-RED was killed", () => {
    const copies = [seen(), seen({ node: 1, readAt: 101_000, possibleDuplicate: true })];
    assert.deepEqual(settleEvents(MADE, copies, [kill(0, 100_500)]), {
      made: 1,
      seen: 1,
      again: 1,
      breaches: [],
    });
  });

  it("names one that no flow saw", () => assert.match(words([]), /no flow saw it/));

  it("names one that two flows saw while all was well", () => {
    const copies = [seen(), seen({ node: 1, possibleDuplicate: true })];
    assert.match(words(copies), /seen 2 times, by 0 at 100000, 1 at 100000/);
    assert.match(words(copies, [kill(2, 100_000)]), /seen 2 times/);
    assert.match(words(copies, [kill(0, 200_000)]), /seen 2 times/);
  });

  it("names a copy without a mark", () => {
    assert.match(words([seen(), seen({ node: 1, readAt: 101_000 })], [kill(0, 100_500)]), /without a mark/);
  });

  it("names one that the service did not make", () => {
    assert.match(words([seen(), seen({ payload: { notificationId: "2" } })]), /made no such event/);
  });
});
