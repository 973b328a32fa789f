import assert from "node:assert/strict";
import type { Rate } from "../../../../../lib/store/jobs/rates";
import { statement } from "../../../../../lib/store/schema/statement";
import { resultsTopic } from "../../../../../lib/store/schema/topics";
import { waitFor } from "../../../../support/wait-for";
import { answered, type OpenStore, takeJob, useFixture } from "../store-under-test";
import { call } from "../../../../../lib/store/engine/query";

const RATE: Rate = { origin: "https://service.example", interval: 10, lead: 0, ahead: 45 };

/** As if the clock of the database was set back by an hour. */
const SET_BACK = statement("test_set_back")`
  UPDATE rates SET next_at = next_at + 3600000000, blocked_until = blocked_until + 3600000`;

/** What processes share in a store, whatever its engine. */
export function instancesSuite(open: OpenStore): void {
  const { engine, me, store } = useFixture(open);

  describe("a rate that all share", () => {
    const turnsOf = async (most: number, rate = RATE) => {
      const { granted, first, askedAt } = await store.rates.take(rate, most);
      return Array.from({ length: granted }, (_unused, n) => askedAt + first + n * rate.interval);
    };

    it("gives each turn once, however many ask at the same time", async () => {
      const asked = await Promise.all(Array.from({ length: 12 }, () => turnsOf(3)));
      const all = asked.flat().sort((a, b) => a - b);
      assert.ok(all.length > 0);
      for (const [at, time] of all.entries()) {
        assert.ok(at === 0 || time - (all[at - 1] as number) >= RATE.interval - 0.01, all.join(" "));
      }
    });

    it("gives no more turns ahead than it may, and says when there are further ones", async () => {
      // So slow that no turn passes between the two questions.
      const slow = { ...RATE, interval: 10_000, ahead: 45_000 };
      const { granted, wait } = await store.rates.take(slow, 100);
      assert.equal(granted, 5);
      assert.ok(wait >= 4_000 && wait <= 50_000, `${wait}`);
      const next = await store.rates.take({ ...slow, ahead: 0 }, 1);
      assert.equal(next.granted, 0);
      assert.ok(next.wait > 0 && next.wait <= 50_000, `${next.wait}`);
    });

    it("takes no turn for what is not there", async () => {
      await takeJob(store, [{}, {}]);
      const { requests, turns } = await store.claims.claimInTurn("a1", me, 10, RATE);
      assert.equal(requests.length, 2);
      assert.equal(turns.granted, 2);
      assert.equal(turns.wait, 0);
      const { granted, first } = await store.rates.take(RATE, 1);
      assert.equal(granted, 1);
      assert.ok(first <= 2 * RATE.interval, `${first}`);
    });

    it("claims no more than there are turns", async () => {
      await takeJob(store, 9);
      const { requests, turns } = await store.claims.claimInTurn("a1", me, 8, RATE);
      assert.equal(requests.length, 5);
      assert.equal(turns.granted, 5);
      assert.ok(turns.wait > 0);
    });

    it("gives turns after a back-off that is nearly over, with the requests for them", async () => {
      await takeJob(store);
      await store.rates.block(RATE.origin, 1_000);
      const soon = { ...RATE, ahead: 5_000 };
      const { requests, turns } = await store.claims.claimInTurn("a1", me, 8, soon);
      assert.deepEqual([requests.length, turns.granted], [1, 1]);
      assert.ok(turns.first > 500, `${turns.first}`);
    });

    it("forgets turns and back-offs that are far ahead after the database's clock was set back", async () => {
      await takeJob(store);
      await store.rates.take(RATE, 5);
      await store.rates.block(RATE.origin, 30_000);
      await engine.run([call(SET_BACK)]);
      assert.ok((await store.rates.blockedFor(RATE.origin)) <= 0);
      const { granted, first } = await store.rates.take(RATE, 1);
      assert.deepEqual([granted, first <= RATE.ahead], [1, true]);
      assert.equal((await store.claims.claim("a1", me, 1, RATE.origin)).length, 1);
      await store.rates.block(RATE.origin, 1_000);
      assert.ok((await store.rates.blockedFor(RATE.origin)) <= 1_000);
    });

    it("lets nothing of the service leave during a back-off", async () => {
      await takeJob(store);
      await store.rates.block(RATE.origin, 60_000);
      await store.rates.block(RATE.origin, 10);
      assert.ok((await store.rates.blockedFor(RATE.origin)) > 55_000);
      assert.deepEqual(await store.claims.claim("a1", me, 1, RATE.origin), []);
      const { requests, turns } = await store.claims.claimInTurn("a1", me, 1, RATE);
      assert.deepEqual(requests, []);
      assert.ok(turns.wait > 55_000, `${turns.wait}`);
      assert.equal((await store.claims.claim("a1", me, 5, "https://other.example")).length, 1);
    });
  });

  describe("results", () => {
    it("are for the process that took the message, which is told", async () => {
      const other = "the-result-owner";
      let told = 0;
      const end = engine.listen(resultsTopic(other), () => told++);
      const [a = 0] = await takeJob(store, [{}], { resultOwner: other });
      await takeJob(store, [{}], { resultOwner: me });
      await store.claims.claim("a1", me, 2);
      const [settled] = await store.settlements.settle(me, [answered(a)]);
      assert.deepEqual(settled, { id: a, outcome: "sent", resultOwner: other });
      await waitFor("word to the result owner", () => told > 0);
      end();
      const mine = await store.recovery.settled("a1", other, ["n1"], 0, 10);
      assert.deepEqual(
        mine.map(({ id, numbers }) => ({ id, numbers })),
        [{ id: a, numbers: ["41790000001"] }],
      );
    });

    it("have nobody to emit them where they left before, or where there is no node", async () => {
      const [a = 0] = await takeJob(store, [{}], { node: "" });
      const [b = 0] = await takeJob(store);
      await store.claims.claim("a1", me, 2);
      const settled = await store.settlements.settle(me, [answered(a), answered(b, { emitted: true })]);
      assert.deepEqual(
        settled.map(({ id, resultOwner }) => ({ id, resultOwner })),
        [
          { id: a, resultOwner: null },
          { id: b, resultOwner: null },
        ],
      );
    });

    it("come without numbers where there are many", async () => {
      const recipients = Array.from({ length: 101 }, (_unused, at) => `4179${1000 + at}`);
      const [many = 0, few = 0] = await takeJob(store, [{ recipients }, { recipients: recipients.slice(1) }]);
      await store.claims.claim("a1", me, 2);
      await store.settlements.settle(me, [answered(many), answered(few)]);
      const parts = await store.recovery.settled("a1", "i1", ["n1"], 0, 10);
      assert.deepEqual(
        parts.map(({ id, recipients: count, numbers }) => ({ id, count, numbers })),
        [
          { id: many, count: 101, numbers: null },
          { id: few, count: 100, numbers: recipients.slice(1) },
        ],
      );
    });
  });
}
