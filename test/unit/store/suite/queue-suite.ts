import assert from "node:assert/strict";
import { queueTopic } from "../../../../lib/store/schema/topics";
import { answered, countRows, type OpenStore, schedule, takeJob, useFixture, pick } from "./store-under-test";

const CANCELLED = { outcome: "retry-later", answer: "{}" } as const;

/** What a person does with jobs, above all with those whose node is gone, whatever the engine of the store. */
export function queueSuite(open: OpenStore): void {
  const { clock, engine, me, store } = useFixture(open);

  /** A job of a node that is gone: a request that left, one with a result, and two that are set aside. */
  async function strandedJob() {
    const [left = 0, done = 0, ...rest] = await takeJob(
      store,
      [{ clientMessageId: "c0" }, {}, { clientMessageId: "c2", recipients: ["1001", "1002"] }, {}],
      { node: "gone", resultOwner: me },
    );
    const [{ job } = { job: 0 }] = await store.claims.claim("a1", me, 2);
    await store.settlements.settle(me, [answered(done)]);
    assert.equal(await store.queue.park("a1", ["n1"]), 2);
    return { job, left, done, rest };
  }
  const historyOf = async (job: number) =>
    (await store.history.search({}, null, 20))
      .filter((entry) => entry.job === job && entry.place === 0)
      .map(({ state, outcome, settledBy }) => `${state} ${outcome} ${settledBy}`);

  describe("a job that waits for a time", () => {
    const HOUR = 3_600_000;

    /** A job of two requests that may leave in one hour and in two. */
    async function scheduledJob(node = "n1") {
      const due = clock.time + HOUR;
      const ids = await takeJob(store, [{}, {}], { node, resultOwner: me });
      await schedule(engine, ids[0] ?? 0, due);
      await schedule(engine, ids[1] ?? 0, due + HOUR);
      const [{ job } = { job: 0 }] = await store.history.search({}, null, 1);
      return { job, due };
    }
    const standingOf = async (job: number) => (await store.queue.states([job])).get(job);

    it("keeps its times while it is paused and resumed", async () => {
      const { job, due } = await scheduledJob();
      await store.queue.holdJob(job);
      assert.deepEqual(await standingOf(job), { destination: "", states: { paused: 2 }, due: null });
      assert.equal((await store.backlog.counts("a1")).paused, 2);
      await store.queue.resumeJob(job, "a1");
      assert.deepEqual(await store.claims.claim("a1", me, 2), [], "it left before its time");
      assert.deepEqual(await standingOf(job), { destination: "", states: { queued: 2 }, due });
    });

    it("never leaves after it was cancelled, alone or with the whole queue", async () => {
      const { job } = await scheduledJob();
      assert.equal(await store.queue.cancelJob(job, CANCELLED), 2);
      await scheduledJob();
      assert.equal(await store.queue.cancelAccount("a1", CANCELLED), 2);
      clock.pass(3 * HOUR);
      assert.deepEqual(await store.claims.claim("a1", me, 9), []);
      assert.deepEqual(await historyOf(job), ["settled retry-later cancel", "settled retry-later cancel"]);
    });
  });

  describe("a job whose node is gone", () => {
    it("goes on without a node where a person sends it, and nobody is given its results", async () => {
      const { job, left, rest } = await strandedJob();
      let woken = 0;
      const stop = engine.listen(queueTopic("a1"), () => woken++);
      assert.equal(await store.queue.releaseJob(job, "a1"), 2);
      stop();
      assert.ok(woken > 0, "nobody was told that something may leave");
      assert.equal(await store.queue.park("a1", ["n1"]), 0, "it was set aside again");
      const claimed = await store.claims.claim("a1", me, 10);
      assert.deepEqual(
        pick(claimed, "id", "node"),
        rest.map((id) => [id, ""]),
      );
      await store.settlements.settle(me, [answered(left), ...rest.map((id) => answered(id))]);
      assert.deepEqual(await store.recovery.settled("a1", me, [""], 0, 10), []);
      assert.deepEqual(await historyOf(job), Array(4).fill("emitted sent response"));
      assert.equal(await store.recovery.job(job), null);
    });

    it("is done when a person cancels what it still had to send without its node", async () => {
      const { job, left } = await strandedJob();
      await store.queue.releaseJob(job, "a1");
      await store.settlements.settle(me, [answered(left)]);
      assert.equal(await store.queue.cancelJob(job, CANCELLED), 2);
      const { outbox, jobs } = await countRows(engine);
      assert.deepEqual([outbox, jobs], [0, 0]);
    });

    it("is over where a person discards it, and stays in the history", async () => {
      const { job, left } = await strandedJob();
      assert.equal(await store.queue.discardJob(job, CANCELLED), 2);
      assert.deepEqual(await store.claims.claim("a1", me, 10), []);
      assert.deepEqual(await store.recovery.settled("a1", me, ["gone"], 0, 10), []);
      // What was on its way ends as it ends.
      await store.settlements.settle(me, [answered(left)]);
      assert.deepEqual(await historyOf(job), [
        "emitted retry-later cancel",
        "emitted retry-later cancel",
        "emitted sent response",
        "emitted sent response",
      ]);
      assert.deepEqual([...(await store.queue.states([job]))], []);
    });
  });

  it("a request keeps when it left the last time, and not the tries of which nothing left", async () => {
    const [id = 0] = await takeJob(store);
    const leftAt = async () => (await store.history.find("a1", id, 0))?.leftAt;
    assert.equal(await leftAt(), null);
    await store.claims.claim("a1", me, 1);
    await store.claims.release("a1", me, [{ id, delay: 0, priority: 0, attempts: 1 }]);
    assert.equal(await leftAt(), null);
    await store.claims.claim("a1", me, 1);
    await store.claims.releaseOthers("a1", me, []);
    assert.equal(await leftAt(), null);
    clock.pass(1_000);
    const left = clock.now();
    await store.claims.claim("a1", me, 1);
    clock.pass(1_000);
    await store.settlements.settle(me, [answered(id, { emitted: true })]);
    assert.equal(await leftAt(), left);
    assert.equal(await store.history.find("a2", id, 0), null, "an account sees messages of another one");
  });

  describe("cancelling", () => {
    it("takes what is set aside, too", async () => {
      const { job } = await strandedJob();
      assert.equal(await store.queue.cancelAccount("a1", CANCELLED), 2);
      assert.equal((await store.backlog.counts("a1")).orphaned, 0);
      assert.equal(await store.queue.cancelJob(job, CANCELLED), 0);
    });
  });
}
