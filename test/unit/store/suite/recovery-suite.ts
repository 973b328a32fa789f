import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Instances, LEASE } from "../../../../lib/store/instances";
import { readInstanceLoads } from "../../../../lib/store/instance-loads";
import type { Engine } from "../../../../lib/store/engine/engine";
import { NO_RULES } from "../../../../lib/store/guards/request-rules";
import { MessageIds } from "../../../../lib/store/engine/message-ids";
import { Jobs } from "../../../../lib/store/jobs/jobs";
import {
  age,
  answered,
  kill,
  newEvent,
  newJob,
  newRequest,
  type OpenStore,
  takeJob,
  useFixture,
  pick,
} from "./store-under-test";

/** Processes of the store, with their states. */
const listed = async (engine: Engine): Promise<readonly string[]> =>
  (await readInstanceLoads(engine, "a1")).instances.map(({ id, state }) => `${id} ${state}`);

/** The engine as one that several processes can open. */
const sharedBy = (engine: Engine): Engine =>
  new Proxy(engine, {
    get: (target, name) => {
      if (name === "exclusive") return false;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

/** Runs a step of `Jobs` whose process dies. @param run of its engine */
async function diesIn(
  engine: Engine,
  run: Engine["run"],
  step: (jobs: Jobs) => Promise<unknown>,
): Promise<void> {
  const dying: Engine = Object.assign(Object.create(engine) as Engine, { run });
  const jobs = new Jobs(dying, { now: () => 1, elapsed: () => 1 }, false, new MessageIds(dying));
  await assert.rejects(step(jobs), /gone/);
}

/** Ends in `commit` after its first commit: the message is accepted, and nothing of it is queued. */
async function commitHalf(engine: Engine, job: number): Promise<void> {
  let commits = 0;
  const run: Engine["run"] = (...given) =>
    commits++ === 0 ? engine.run(...given) : Promise.reject(new Error("gone"));
  await diesIn(engine, run, (jobs) => jobs.commit(job, "a1"));
}

const LATER = { ...NO_RULES, scheduled: Date.parse("2099-01-01") };

/** What a start finds, and who is alive, whatever the engine. */
export function recoverySuite(open: OpenStore): void {
  const { clock, engine, me, mine, store } = useFixture(open);

  describe("recovery", () => {
    it("settles what a dead owner was sending as unknown, and puts nothing back", async () => {
      const [a, b] = await takeJob(store, [{}, {}, {}]);
      await store.claims.claim("a1", me, 2);
      assert.equal(await store.recovery.settleOrphans(), 0, "its owner is alive");
      await kill(engine, me);
      assert.equal(await store.recovery.settleOrphans(), 2);
      assert.equal(await store.recovery.settleOrphans(), 0);
      const found = await store.history.search({ outcome: "unknown" }, null, 10);
      assert.deepEqual(pick(found, "request", "settledBy"), [
        [b, "process-ended"],
        [a, "process-ended"],
      ]);
      const next = randomUUID();
      await store.instances(next).start();
      assert.deepEqual(pick(await store.claims.claim("a1", next, 10), "part"), [2]);
    });

    it("settles a sensitive request as retry-later when its process has died", async () => {
      const job = { resultOwner: me };
      const [sending] = await takeJob(store, [{ content: null }], job);
      await store.claims.claim("a1", me, 1);
      const waiting = await takeJob(store, [{ content: null }, { content: null }], job);
      const [scheduled] = await takeJob(store, [{ content: null, rules: LATER }], job);
      await takeJob(store, 1, job);
      assert.equal(await store.recovery.settleTextless(), 0, "its process is alive");
      await kill(engine, me);
      await store.recovery.settleOrphans();
      assert.equal(await store.recovery.settleTextless(), 3);
      const found = await store.history.search({}, null, 10);
      assert.deepEqual(pick(found, "request", "outcome", "settledBy").slice(1), [
        [scheduled, "retry-later", "process-ended"],
        ...waiting.toReversed().map((request) => [request, "retry-later", "process-ended"]),
        [sending, "unknown", "process-ended"],
      ]);
      assert.equal(found[0]?.outcome, null, "a text that was stored is sent");
    });

    it("prefers the late answer of an owner who was thought dead", async () => {
      const [a] = await takeJob(store);
      await store.claims.claim("a1", me, 1);
      await kill(engine, me);
      await store.recovery.settleOrphans();
      assert.deepEqual(await store.settlements.settle(me, [answered(a!, { outcome: "rejected" })]), [
        { id: a, outcome: "rejected", resultOwner: "i1" },
      ]);
    });

    it("settles an orphan that an event has proved as sent", async () => {
      await takeJob(store, [{ clientMessageId: "order-7" }]);
      await store.claims.claim("a1", me, 1);
      await store.deliveries.note("a1", [newEvent({ clientMessageId: "order-7" })]);
      await kill(engine, me);
      await store.recovery.settleOrphans();
      const [entry] = await store.history.search({}, null, 1);
      assert.deepEqual([entry?.outcome, entry?.settledBy], ["sent", "event"]);
    });

    it("finds messages that were never complete, and queues the rest of those that were", async () => {
      const half = newJob({ resultOwner: me });
      await store.jobs.begin(half);
      await store.jobs.add(half, [newRequest(), newRequest({ part: 1 })]);
      assert.deepEqual(await store.recovery.uncommitted(10), [], "its result owner is alive");
      await kill(engine, me);
      assert.deepEqual(await store.recovery.uncommitted(10), [half.id]);
      await commitHalf(engine, half.id);
      assert.equal((await store.backlog.counts("a1")).ready, 0);
      await store.recovery.finishQueueing();
      assert.equal((await store.backlog.counts("a1")).ready, 2);
    });

    it("leaves what a live process is still queueing to it, and adopts it when all of it is queued", async () => {
      const long = newJob({ resultOwner: me });
      await store.jobs.begin(long);
      await store.jobs.add(long, [newRequest(), newRequest({ part: 1 })]);
      await commitHalf(engine, long.id);
      await store.recovery.finishQueueing();
      assert.equal((await store.backlog.counts("a1")).ready, 0);
      const other = store.instances("other");
      await other.start();
      await kill(engine, me);
      assert.deepEqual(await store.recovery.adopt("other", "a1", ["n1"]), []);
      await store.recovery.finishQueueing();
      assert.equal((await store.backlog.counts("a1")).ready, 2);
      assert.equal((await store.recovery.adopt("other", "a1", ["n1"])).length, 1);
    });

    it("gives the jobs of dead result owners to the instance that runs their nodes", async () => {
      const [a] = await takeJob(store, [{}], { resultOwner: "dead", node: "n1" });
      await takeJob(store, [{}], { resultOwner: "dead", node: "n2" });
      assert.equal((await store.recovery.adopt(me, "a1", ["n1", "n3"])).length, 1);
      assert.deepEqual(await store.recovery.adopt(me, "a1", ["n1"]), []);
      await store.claims.claim("a1", me, 10);
      await store.settlements.settle(me, [answered(a!)]);
      assert.deepEqual(pick(await store.recovery.settled("a1", me, ["n1"], 0, 10), "id"), [a]);
    });
  });

  describe("nodes that do not exist", () => {
    it("have their requests set aside, until the node is back", async () => {
      const [there = 0] = await takeJob(store, [{}], { node: "n1" });
      const gone = await takeJob(store, [{}, {}], { node: "n2" });
      const [nodeless = 0] = await takeJob(store, [{}], { node: "" });
      await takeJob(store, [{}], { node: "n2", account: "a2" });
      assert.equal(await store.queue.park("a1", ["n1"]), 2);
      assert.equal((await store.backlog.counts("a1")).orphaned, 2);
      assert.deepEqual(pick(await store.claims.claim("a1", me, 9), "id", "node"), [
        [there, "n1"],
        [nodeless, ""],
      ]);
      await store.queue.park("a1", ["n1", "n2"]);
      assert.deepEqual(pick(await store.claims.claim("a1", me, 9), "id"), gone);
    });

    it("leave a job that a person has paused paused", async () => {
      await takeJob(store, [{}], { node: "n2" });
      const [open] = await store.recovery.openJobs("a1", {}, 0, 9);
      await store.queue.holdJob(open!.id);
      await store.queue.park("a1", []);
      await store.queue.park("a1", ["n2"]);
      assert.deepEqual(await store.claims.claim("a1", me, 9), []);
    });
  });

  describe("instances", () => {
    it("are dead after a lease without a heartbeat, and stay dead", async () => {
      const shared = sharedBy(engine);
      const late = new Instances(shared, clock, "late");
      const other = new Instances(shared, clock, "other");
      await late.start();
      await other.start();
      await age(engine, "late", LEASE - 2_000);
      assert.deepEqual(await other.findExpired(), []);
      await age(engine, "late", 4_000);
      assert.deepEqual(await other.findExpired(), ["late"]);
      assert.equal(await late.sendHeartbeat(), false);
      assert.equal(late.mayLeave, false);
      assert.equal(await other.sendHeartbeat(), true);
      assert.ok((await listed(engine)).includes("late ended"));
    });

    it("send nothing when their own clock says that the last heartbeat is too old", async () => {
      const frozen = new Instances(sharedBy(engine), clock, "frozen");
      assert.equal(frozen.mayLeave, false, "before its first heartbeat");
      await frozen.start();
      clock.run += LEASE / 2 - 1;
      assert.equal(frozen.mayLeave, true);
      clock.run += 1;
      assert.equal(frozen.mayLeave, false);
      await frozen.sendHeartbeat();
      assert.equal(frozen.mayLeave, true);
      // The computer slept: its monotonic clock stood still.
      clock.time += LEASE;
      assert.equal(frozen.mayLeave, false);
      await frozen.sendHeartbeat();
      clock.time -= 2 * LEASE;
      assert.equal(frozen.mayLeave, true, "a clock that is set back changes nothing");
    });

    it("count a heartbeat from when it was sent, not from its answer", async () => {
      const shared = sharedBy(engine);
      const waiting: Engine = Object.assign(Object.create(shared) as Engine, {
        exclusive: false,
        run: async (...given: Parameters<Engine["run"]>) => {
          const rows = await engine.run(...given);
          clock.run += LEASE;
          return rows;
        },
      });
      const slow = new Instances(waiting, clock, "slow");
      await slow.start();
      assert.equal(slow.mayLeave, false);
    });

    it("are alone on a store that one process opens: whoever was there before is dead", async () => {
      if (!engine.exclusive) return;
      const next = store.instances("next");
      await next.start();
      assert.equal(await mine.sendHeartbeat(), false);
      assert.deepEqual(await store.claims.claim("a1", me, 1), []);
      assert.equal(next.mayLeave, true);
    });
  });
}
