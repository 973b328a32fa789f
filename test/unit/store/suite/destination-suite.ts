import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type ClaimGuard, NO_GUARD } from "../../../../lib/store/guards/guard-calls";
import { NO_RULES, type RequestRules } from "../../../../lib/store/guards/request-rules";
import { countInbound, countOutcomes } from "../../../../lib/store/history/report-counts";
import type { ClaimedRequest } from "../../../../lib/store/jobs/request-claims";
import { getScope, SIMULATOR } from "../../../../lib/store/schema/scope";
import {
  answered,
  newEvent,
  newJob,
  newRequest,
  type OpenStore,
  pick,
  takeJob,
  useFixture,
} from "./store-under-test";

const LIVE = "https://service.example/api";
const MOVED = "https://new.example/api";
const ANNA = "41790000001";
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BOTH_WAYS = [
  [LIVE, SIMULATOR],
  [SIMULATOR, LIVE],
] as const;

const rules = (given: Partial<RequestRules>) => ({ recipients: [ANNA], rules: { ...NO_RULES, ...given } });
const reasons = (claimed: readonly ClaimedRequest[]) => claimed.flatMap(({ held }) => pick(held, "reason"));
const scopeOf = (destination: string): string => getScope("a1", destination === SIMULATOR);

/** Requests that were accepted for one destination, where the account has another one. */
export function destinationSuite(open: OpenStore): void {
  const { clock, engine, me, store } = useFixture(open);
  const guardOf = (destination: string): ClaimGuard => ({ ...NO_GUARD, destination });
  const claim = (destination: string, owner = me, given: Partial<ClaimGuard> = {}) =>
    store.claims.claim("a1", owner, 10, "", { ...guardOf(destination), ...given });
  /** Sends a message to Anna. @returns reasons why it may not be sent */
  async function send(
    destination: string,
    given: Partial<RequestRules> = {},
    guard: Partial<ClaimGuard> = {},
  ) {
    await takeJob(store, [rules(given)], { destination });
    const claimed = await claim(destination, me, guard);
    const settled = claimed.map(({ id }) =>
      answered(id, { transferId: `t${id}`, guarded: true, keyed: true, emitted: true }),
    );
    await store.settlements.settle(me, settled);
    return reasons(claimed);
  }

  describe("a destination", () => {
    for (const [own, other] of [...BOTH_WAYS, [LIVE, MOVED]] as const) {
      describe(`${own} beside ${other}`, () => {
        it("lets a process claim nothing of the other one", async () => {
          const peer = engine.exclusive ? me : randomUUID();
          if (peer !== me) {
            await store.instances(peer).start();
          }
          const [ownId] = await takeJob(store, 1, { destination: own });
          const otherIds = await takeJob(store, [{}, rules({ scheduled: clock.now() + HOUR })], {
            destination: other,
          });
          assert.deepEqual(pick(await claim(own), "id"), [ownId]);
          clock.pass(2 * HOUR);
          assert.deepEqual(await claim(own), []);
          assert.equal(await store.backlog.nextDue("a1", own), null);
          assert.equal(await store.backlog.countElsewhere("a1", own), 2);
          assert.deepEqual(pick(await claim(other, peer), "id"), otherIds);
          assert.equal(await store.backlog.countElsewhere("a1", own), 0);
        });
      });
    }

    it("stays with what is accepted and sent at once, put back and split off", async () => {
      const job = newJob({ destination: SIMULATOR });
      const request = newRequest({ recipients: [ANNA, "41790000002"] });
      const sending = await store.jobs.acceptSending(job, request, me, "", guardOf(SIMULATOR));
      const groups = [{ recipients: [ANNA], settled: null, until: null }];
      const whole = { ...request, id: sending!.id, job: sending!.id, resultOwner: "i1" };
      await store.divisions.divide(whole, "a1", me, groups, true);
      assert.deepEqual(await claim(LIVE), []);
      assert.equal((await claim(SIMULATOR)).length, 2);
    });
  });

  describe("a message of a former address", () => {
    it("has the new address as soon as its waiting requests have it", async () => {
      await takeJob(store, 2, { destination: LIVE });
      const [leaving] = await store.claims.claim("a1", me, 1, "", guardOf(LIVE));
      assert.equal(await store.queue.redirectJob(leaving!.job, "a1", MOVED), 1);
      const standing = (await store.queue.states([leaving!.job])).get(leaving!.job);
      assert.equal(standing?.destination, MOVED);
      assert.equal((await claim(MOVED)).length, 1);
    });
  });

  for (const [first, second] of BOTH_WAYS) {
    describe(`a rule after messages to ${first}`, () => {
      it("does not count them for a once key elsewhere", async () => {
        const once = { once: { key: "order-7", within: HOUR, hash: "h" } };
        assert.deepEqual(await send(first, once), []);
        assert.deepEqual(await send(second, once), []);
        assert.deepEqual(await send(first, once), ["already-sent"]);
        assert.equal((await store.idempotencyKeys(scopeOf(second)).find("order-7", [ANNA])).length, 1);
        const ids = await takeJob(store, [rules(once)], { destination: second });
        await claim(second);
        await store.settlements.settle(me, [answered(ids[0]!, { outcome: "rejected", guarded: true })]);
        assert.deepEqual(await send(first, once), ["already-sent"]);
      });

      it("does not count them in a limit elsewhere", async () => {
        const now = clock.now();
        const limits = { hour: null, day: 1, numberHour: null, numberDay: null };
        const guard = { limits: { ...limits, hourStarts: now - (now % HOUR), dayStarts: now - (now % DAY) } };
        assert.deepEqual(await send(first, {}, guard), []);
        assert.deepEqual(await send(second, {}, guard), []);
        assert.deepEqual(await send(first, {}, guard), ["limit"]);
      });

      it("does not block other messages with their opt-outs", async () => {
        await store.optOuts(scopeOf(first)).add([ANNA], "all", "flow");
        assert.deepEqual(await send(second), []);
        assert.deepEqual(await send(first), ["opted-out"]);
      });

      it("does not end their waits with events and replies from elsewhere", async () => {
        await send(first);
        const [sent] = await store.history.search({ account: "a1" }, null, 1);
        const { request, transferId } = sent!;
        const wait = {
          account: "a1",
          scope: scopeOf(first),
          node: "n2",
          resultOwner: me,
          channel: "any",
        } as const;
        const ids = { transferId, clientMessageId: null, recipients: [ANNA], until: clock.now() + HOUR };
        const rest = { group: null, repeated: false, snapshot: null };
        for (const kind of ["reply", "delivered"] as const) {
          await store.waits.start({ ...wait, ...ids, ...rest, key: `w-${kind}`, kind });
        }
        const events = () => [
          newEvent({ transferId, number: ANNA, status: "delivered" }),
          newEvent({
            kind: "inbound",
            status: null,
            number: ANNA,
            optOut: { change: "stop", number: ANNA, scope: "all" },
            reply: { channel: "sms", body: "{}" },
          }),
        ];
        await store.deliveries.note(scopeOf(second), events());
        assert.deepEqual(await store.waits.reported(me, 10, ["n2"]), []);
        assert.deepEqual(await store.waits.replies(me, 10, ["n2"]), []);
        assert.equal(await store.optOuts(scopeOf(first)).count(), 0);
        await store.deliveries.note(scopeOf(first), events());
        assert.equal((await store.waits.reported(me, 10, ["n2"])).length, 1);
        assert.equal((await store.waits.replies(me, 10, ["n2"])).length, 1);
        const [delivery] = await store.deliveries.ofRequest(request, -1, 1);
        assert.equal(delivery?.status, "delivered");
      });
    });
  }

  describe("a simulated message", () => {
    it("has its mark in the history and no billed segments in the report", async () => {
      for (const destination of [LIVE, SIMULATOR]) {
        const [id = 0] = await takeJob(store, [{ recipients: [ANNA] }], { destination });
        await claim(destination);
        const answer = '{"statusCode":2000,"smsCount":3}';
        await store.settlements.settle(me, [answered(id, { answer, emitted: true })]);
        const reply = { kind: "inbound", status: null, number: ANNA } as const;
        await store.deliveries.note(scopeOf(destination), [newEvent(reply)]);
      }
      const entries = await store.history.search({ account: "a1" }, null, 10);
      assert.deepEqual(pick(entries, "simulated"), [true, false]);
      const starts = clock.now() - (clock.now() % DAY);
      const day = { starts, ends: starts + DAY, from: starts, to: starts + DAY };
      const counts = [];
      for await (const each of countOutcomes(engine, "a1", [day], "day")) {
        counts.push(...each);
      }
      assert.deepEqual(pick(counts, "simulated", "count", "segments").sort(), [
        [0, 1, 3],
        [1, 1, 0],
      ]);
      assert.equal((await countInbound(engine, "a1", day, "day")).replies[0]?.count, 1);
    });

    it("is deleted with its events at the age of the account", async () => {
      await send(SIMULATOR);
      await store.deliveries.note(scopeOf(SIMULATOR), [newEvent({ kind: "inbound", number: ANNA })]);
      assert.deepEqual(await store.retention.accounts(), ["a1"]);
      clock.pass(2 * DAY);
      while (await store.retention.deleteOld("a1", DAY)) {
        // Slices.
      }
      assert.deepEqual(await store.retention.accounts(), []);
    });
  });
}
