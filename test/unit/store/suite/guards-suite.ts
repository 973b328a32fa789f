import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type ClaimGuard, NO_GUARD } from "../../../../lib/store/guards/guard-calls";
import type { ClaimLimits, QuotaUsage } from "../../../../lib/store/guards/limits";
import { NO_RULES, type RequestRules } from "../../../../lib/store/guards/request-rules";
import { statement } from "../../../../lib/store/schema/statement";
import type { ClaimedRequest } from "../../../../lib/store/jobs/request-claims";
import {
  answered,
  countRows,
  kill,
  newJob,
  newRequest,
  type OpenStore,
  takeJob,
  useFixture,
  pick,
} from "./store-under-test";
import { call } from "../../../../lib/store/engine/query";

const ANNA = "41790000001";
const BEN = "41790000002";
const CARL = "41790000003";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const KEYS = statement(
  "test_once_keys",
)`SELECT number FROM idempotency_keys ORDER BY idempotency_key, number`;

const rules = (given: Partial<RequestRules>): { readonly rules: RequestRules } => ({
  rules: { ...NO_RULES, ...given },
});
const once = (key = "order-7", hash = "h", within = HOUR) => rules({ once: { key, hash, within } });

/** The numbers that a claimed request must not be sent to, with their reasons. */
const heldOf = ({ held }: ClaimedRequest): string[] =>
  held.map(({ number, reason }) => `${number.slice(-1)} ${reason}`);

/** How those ended that hold the once keys of a claimed request. */
const firstOf = ({ held }: ClaimedRequest) =>
  held.map((each) => ("first" in each ? each.first.outcome : null));

/** What keeps messages from leaving, checked in the operation that claims them. */
export function guardsSuite(open: OpenStore): void {
  const { clock, engine, me, store } = useFixture(open);
  const claim = (guard = NO_GUARD, most = 1_000) => store.claims.claim("a1", me, most, "", guard);
  const settle = (id: number, outcome: "sent" | "rejected" | "denied" | "retry-later" | "unknown") =>
    store.settlements.settle(me, [{ ...answered(id), outcome, guarded: true, keyed: true }]);

  /** The limits of now, and what was told of them last. */
  const limited = (given: Partial<ClaimLimits>) => {
    const told: QuotaUsage[] = [];
    const guard: ClaimGuard = {
      destination: "",
      limits: {
        hour: null,
        day: null,
        numberHour: null,
        numberDay: null,
        hourStarts: Math.floor(clock.now() / HOUR) * HOUR,
        dayStarts: Math.floor(clock.now() / DAY) * DAY,
        ...given,
      },
      onUsage: (spent) => void told.push(spent),
    };
    return { guard, told };
  };

  describe("opt-outs", () => {
    it("count for what is taken and claimed in one, and for what waited", async () => {
      const later = clock.now() + DAY;
      await takeJob(store, [{ recipients: [ANNA], ...rules({ scheduled: later }) }]);
      assert.deepEqual(await claim(), []);
      await store.optOuts("a1").add([ANNA], "all", "inbound");
      const leaving = await store.jobs.acceptSending(newJob(), newRequest({ recipients: [ANNA] }), me);
      assert.deepEqual(leaving?.held, [{ number: ANNA, reason: "opted-out" }]);
      clock.pass(DAY);
      assert.deepEqual((await claim()).map(heldOf), [["1 opted-out"]]);
    });
  });

  describe("a once key", () => {
    it("names how the first one ended, and outlives its request in the history", async () => {
      await takeJob(store, [{ recipients: [ANNA], ...once("k", "h", 10 * DAY) }]);
      const [first] = await claim();
      await settle(first!.id, "sent");
      await store.settlements.emitted([first!.id]);
      clock.pass(5 * DAY);
      await store.retention.deleteOld("a1", DAY);
      await takeJob(store, [{ recipients: [ANNA], ...once("k") }]);
      const [second] = await claim();
      assert.deepEqual(firstOf(second!), ["sent"]);
    });

    it("stays in use after unknown, also where the process died and its history is gone", async () => {
      await takeJob(store, [
        { recipients: [ANNA], ...once("order-7", "h", 2 * DAY) },
        { recipients: [BEN], ...once("order-7", "h", 2 * DAY) },
      ]);
      const [first] = await claim();
      await settle(first!.id, "unknown");
      await kill(engine, me);
      const next = randomUUID();
      await store.instances(next).start();
      await store.recovery.settleOrphans();
      const results = await store.recovery.settled("a1", "i1", ["n1"], 0, 10);
      await store.settlements.emitted(pick(results, "id"));
      clock.pass(DAY);
      await store.retention.deleteOld("a1", HOUR);
      assert.equal((await countRows(engine)).messages, 0);
      await takeJob(store, [{ recipients: [ANNA, BEN], ...once("order-7", "h", 2 * DAY) }]);
      const [request] = await store.claims.claim("a1", next, 1);
      assert.deepEqual(firstOf(request!), ["unknown", "unknown"]);
    });

    it("stays with the process that has the request by now, where the one before puts it back once more", async () => {
      const { guard } = limited({ hour: 1 });
      await takeJob(store, [{ recipients: [ANNA], ...once() }]);
      const [first] = await claim(guard);
      const back = { id: first!.id, delay: 0, priority: 0, attempts: 0, guarded: true };
      await store.claims.release("a1", me, [back]);
      const next = randomUUID();
      await store.instances(next).start();
      const [again] = await store.claims.claim("a1", next, 1, "", guard);
      assert.deepEqual(again?.held, []);
      // The answer to the first release was lost.
      await store.claims.release("a1", me, [back]);
      await store.claims.releaseOthers("a1", me, []);
      const other = answered(first!.id, { outcome: "rejected" as const, guarded: true });
      await store.settlements.settle(me, [other]);
      assert.equal((await store.idempotencyKeys("a1").find("order-7", [ANNA])).length, 1);
      await takeJob(store, [{ recipients: [BEN] }]);
      const [last] = await store.claims.claim("a1", next, 1, "", guard);
      assert.deepEqual(heldOf(last!), ["2 limit"]);
    });

    it("is free again where a claim is put back that nobody knows of", async () => {
      const { guard, told } = limited({ hour: 2 });
      await takeJob(store, [{ recipients: [ANNA], ...once() }]);
      const [first] = await claim(guard);
      assert.deepEqual(await store.claims.releaseOthers("a1", me, []), [first!.id]);
      assert.deepEqual(await store.idempotencyKeys("a1").find("order-7", [ANNA]), []);
      assert.deepEqual((await claim(guard)).map(heldOf), [[]]);
      assert.deepEqual(told.at(-1), { hour: 1, day: 1 });
    });

    it("is deleted when its time is over, and with everything about its number", async () => {
      const left = async () => (await engine.run([call(KEYS)]))[0]?.map(({ number }) => number);
      await takeJob(store, [
        { recipients: [ANNA, BEN, CARL], ...once() },
        { recipients: [BEN], ...once("k", "h", DAY) },
      ]);
      for (const { id } of await claim()) {
        await settle(id, "sent");
      }
      await store.retention.deleteNumber(CARL);
      assert.deepEqual(await left(), [BEN, ANNA, BEN]);
      clock.pass(HOUR);
      await store.retention.deleteOld("a1", DAY);
      assert.deepEqual(await left(), [BEN]);
    });
  });

  describe("limits", () => {
    it("count what is taken and claimed in one", async () => {
      const { guard, told } = limited({ hour: 1 });
      const take = () =>
        store.jobs.acceptSending(newJob(), newRequest({ recipients: [ANNA] }), me, "", guard);
      const [first, second] = await Promise.all([take(), take()]);
      assert.deepEqual([first?.held.length, second?.held.length], [0, 1]);
      assert.deepEqual(told.at(-1), { hour: 1, day: 1 });
    });

    it("lets exactly a hundred of a thousand messages leave when many claim at once", async () => {
      const { guard, told } = limited({ day: 100 });
      await takeJob(
        store,
        Array.from({ length: 1_000 }, (_, n) => ({ recipients: [String(41791000000 + n)] })),
      );
      const pages = await Promise.all(Array.from({ length: 40 }, () => claim(guard, 30)));
      const passed = pages.flat().filter(({ held }) => held.length === 0);
      assert.deepEqual([passed.length, told.at(-1)], [100, { hour: 100, day: 100 }]);
    });
  });

  describe("what waits", () => {
    it("leaves at its time, also after the clock was set back", async () => {
      await takeJob(store, [{ recipients: [ANNA], ...rules({ scheduled: clock.now() + 40 * DAY }) }]);
      assert.equal(await store.backlog.limitDelays("a1", HOUR), 0);
      assert.equal(await store.backlog.lookAgain("a1"), 0);
      assert.equal(await store.backlog.nextDue("a1", ""), 40 * DAY);
      clock.pass(40 * DAY - 1);
      assert.equal((await claim()).length, 0);
      clock.pass(1);
      assert.equal((await claim()).length, 1);
    });

    it("for a rule is looked at again, not before its own time", async () => {
      const scheduled = clock.now() + HOUR;
      await takeJob(store, [
        { recipients: [ANNA], ...rules({ scheduled, opens: clock.now() + DAY }) },
        { recipients: [BEN] },
      ]);
      const [request] = await claim();
      await store.claims.release("a1", me, [
        { id: request!.id, delay: 2 * DAY, priority: 0, attempts: 0, postponed: true },
      ]);
      assert.equal(await store.backlog.limitDelays("a1", HOUR), 0);
      assert.equal(await store.backlog.lookAgain("a1"), 2);
      assert.deepEqual(pick(await claim(), "recipients"), [[BEN]]);
      clock.pass(HOUR);
      assert.deepEqual(pick(await claim(), "recipients"), [[ANNA]]);
    });
  });

  it("sends the rest of a request once when a part of its recipients is blocked", async () => {
    await takeJob(store, [{ recipients: [ANNA, BEN, CARL], ...once() }]);
    const [request] = await claim();
    const settled = { outcome: "rejected" as const, answer: "{}" };
    const blocked = { recipients: [BEN], settled, until: null };
    await store.divisions.divide(request!, "a1", me, [blocked], true);
    const results = await store.recovery.settled("a1", "i1", ["n1"], 0, 10);
    assert.deepEqual(pick(results, "outcome", "numbers"), [["rejected", [BEN]]]);
    assert.deepEqual(pick(await claim(), "id", "recipients", "held"), [[request!.id, [ANNA, CARL], []]]);
    assert.deepEqual(await store.idempotencyKeys("a1").find("order-7", [BEN]), []);
  });
}
