import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import {
  answered,
  contentOf,
  countRows,
  NO_ROWS,
  kill,
  newJob,
  newRequest,
  type OpenStore,
  takeJob,
  useFixture,
  pick,
} from "./store-under-test";
import { NO_GUARD } from "../../../../lib/store/guards/guard-calls";
import { NO_RULES } from "../../../../lib/store/guards/request-rules";

const ids = (rows: readonly { readonly id: number }[]): number[] => pick(rows, "id");

/** Jobs and requests of a store, whatever its engine. */
export function requestsSuite(open: OpenStore): void {
  const { clock, engine, keeping, me, mine, store } = useFixture(open);
  const claim = (most = 10) => store.claims.claim("a1", me, most);

  describe("jobs", () => {
    it("come back as they were given, with recipients in their order", async () => {
      const recipients = Array.from({ length: 30 }, (_, at) => String(41790000100 - at));
      const content = JSON.stringify({ text: "Grüße 'a' \"b\" \\ ?1 \u{1F600}\n" });
      await takeJob(store, [{ recipients, content, clientMessageId: "order-7", operation: "x" }]);
      const [claimed] = await store.claims.claim("a1", me, 1);
      const { id, job, ...rest } = claimed!;
      assert.equal(id, job);
      assert.deepEqual(rest, {
        resultOwner: "i1",
        node: "n1",
        part: 0,
        operation: "x",
        priority: 0,
        attempts: 0,
        clientMessageId: "order-7",
        content,
        recipients,
        rules: { uselessAfter: null, category: "", zone: "", cost: 1, once: false },
        held: [],
      });
    });

    it("of several pages leave only when they are complete", async () => {
      const { jobs } = store;
      const job = newJob();
      await jobs.begin(job);
      await jobs.add(job, [newRequest()]);
      await jobs.add(job, [newRequest({ part: 1 })]);
      assert.deepEqual(await claim(), []);
      assert.equal(await jobs.commit(job.id, "a1"), true);
      assert.equal(await jobs.commit(job.id, "a1"), true, "it may be repeated");
      assert.deepEqual(pick(await claim(), "part"), [0, 1]);
    });

    it("of a request with very many recipients are one request that has them in order", async () => {
      const job = newJob();
      const rules = { ...NO_RULES, alsoOptedOut: true };
      await store.jobs.begin(job);
      const first = newRequest({ recipients: ["?1 x", "?2 y"], rules, after: 0 });
      const second = newRequest({ recipients: ["?3 z"], rules, after: 2 });
      await store.jobs.add(job, [first]);
      await store.jobs.add(job, [second]);
      await store.jobs.commit(job.id, "a1");
      assert.deepEqual(pick(await claim(), "recipients"), [["?1 x", "?2 y", "?3 z"]]);
    });

    it("that were given up while they were filled leave nothing behind", async () => {
      const job = newJob();
      await store.jobs.begin(job);
      await store.jobs.add(job, [
        newRequest({ recipients: Array.from({ length: 1200 }, (_, n) => `4179${n}`) }),
      ]);
      await store.jobs.abandon(job.id);
      assert.deepEqual(await countRows(engine), NO_ROWS);
    });

    it("that were given up leave nothing behind of pages that come after", async () => {
      const job = newJob({ resultOwner: me });
      await store.jobs.begin(job);
      await store.jobs.abandon(job.id);
      await store.jobs.add(job, [newRequest({ recipients: ["1", "2"] })]);
      assert.equal(await store.jobs.commit(job.id, "a1"), false);
      assert.deepEqual(await store.recovery.uncommitted(10), [job.id]);
      await store.jobs.abandon(job.id);
      assert.deepEqual(await countRows(engine), NO_ROWS);
    });

    it("that are complete cannot be given up", async () => {
      const job = newJob();
      await store.jobs.accept(job, [newRequest()]);
      await store.jobs.abandon(job.id);
      assert.equal((await countRows(engine)).messages, 1);
    });
  });

  describe("a message that is sent at once", () => {
    it("is sending when it is taken, and nobody else gets it", async () => {
      const job = newJob({ account: "a1" });
      const taken = await store.jobs.acceptSending(job, newRequest({ recipients: ["1001"] }), me);
      assert.ok(taken !== null);
      assert.deepEqual(await store.claims.claim("a1", me, 9), []);
      assert.equal((await store.backlog.counts("a1")).sending, 1);
      assert.deepEqual(pick(await store.deliveries.ofRequest(taken.id, -1, 9), "number"), ["1001"]);
      assert.equal((await store.settlements.settle(me, [answered(taken.id)])).length, 1);
    });

    it("is released with what nobody knows of", async () => {
      const sent = await store.jobs.acceptSending(newJob(), newRequest(), me);
      assert.deepEqual(await store.claims.releaseOthers("a1", me, []), [sent?.id]);
      assert.equal((await store.claims.claim("a1", me, 9)).length, 1);
    });
  });

  describe("a sensitive request", () => {
    const SENSITIVE = { content: null };

    it("is claimed only by the process that accepted it", async () => {
      await takeJob(store, [SENSITIVE]);
      const own = await takeJob(store, [SENSITIVE], { resultOwner: me });
      assert.deepEqual(pick(await claim(), "id", "content"), [[own[0], null]]);
    });

    it("stays with its process when it is released, paused or divided", async () => {
      const recipients = ["41790000001", "41790000002"];
      const [id = 0] = await takeJob(store, [{ ...SENSITIVE, recipients }], { resultOwner: me });
      const [claimed] = await claim();
      const released = { id, delay: 0, priority: 0, attempts: 1 };
      await store.claims.release("a1", me, [released]);
      await store.queue.holdJob(claimed!.job);
      await store.queue.resumeJob(claimed!.job, "a1");
      const [again] = await claim();
      const group = { recipients: recipients.slice(1), settled: null, until: null };
      assert.deepEqual(await store.divisions.divide(again!, "a1", me, [group], true), [1]);
      await kill(engine, me);
      assert.equal(await store.recovery.settleTextless(), 2);
    });

    it("passes to the next name of its process", async () => {
      await takeJob(store, [SENSITIVE], { resultOwner: "before" });
      await mine.succeed(["before", "long before"]);
      assert.equal(await store.recovery.settleTextless(), 0);
      assert.equal((await claim()).length, 1);
    });

    it("is sent at once like others", async () => {
      const job = newJob({ resultOwner: me });
      const taken = await store.jobs.acceptSending(job, newRequest(SENSITIVE), me);
      assert.ok(taken !== null);
    });
  });

  it("starts nothing for a paused account, a blocked service, or a dead or unknown owner", async () => {
    const ORIGIN = "https://service";
    const atOnce = async (owner: string, origin: string) => {
      const taken = await store.jobs.acceptSending(newJob(), newRequest(), owner, origin);
      return taken === null ? [] : [taken];
    };
    for (const leave of [
      (owner, origin) => store.claims.claim("a1", owner, 1, origin),
      atOnce,
    ] as readonly (typeof atOnce)[]) {
      const owner = randomUUID();
      await store.instances(owner).start();
      await takeJob(store);
      assert.deepEqual(await leave("nobody", ORIGIN), []);
      await store.queue.pause("a1");
      assert.equal(await store.queue.pausedSince("a1"), clock.now());
      assert.deepEqual(await leave(owner, "https://other"), []);
      await store.queue.resume("a1");
      assert.equal(await store.queue.pausedSince("a1"), null);
      await store.rates.block(ORIGIN, 60_000);
      assert.deepEqual(await leave(owner, ORIGIN), []);
      assert.equal((await leave(owner, "https://other")).length, 1);
      await takeJob(store);
      await kill(engine, owner);
      assert.deepEqual(await leave(owner, "https://other"), []);
    }
  });

  describe("claims", () => {
    it("gives each request to one of two owners who claim at the same time", async () => {
      const other = randomUUID();
      await store.instances(other).start();
      // On an engine for one process the newcomer has called the first one dead.
      const owners = store.engine.exclusive ? [other, other] : [me, other];
      await takeJob(store, 400);
      const claims = await Promise.all(
        Array.from({ length: 50 }, (_, at) => store.claims.claim("a1", owners[at % 2]!, 10)),
      );
      const claimed = claims.flatMap(ids);
      assert.deepEqual([claimed.length, new Set(claimed).size], [400, 400]);
    });

    it("take high priority first, then the order of arrival, and only their account", async () => {
      const [a, b] = await takeJob(store, [{}, {}]);
      const [c] = await takeJob(store, [{ priority: 2 }]);
      await takeJob(store, [{}], { account: "a2" });
      assert.deepEqual(ids(await claim(2)), [c, a]);
      assert.deepEqual(ids(await claim(2)), [b]);
    });

    it("leaves out requests of paused operations", async () => {
      const [sms, rcs, template] = await takeJob(store, [
        { operation: "sms-json" },
        { operation: "rcs" },
        { operation: "whatsapp-template" },
      ]);
      const guard = { ...NO_GUARD, pausedOperations: ["sms-json", "whatsapp-template"] };
      assert.deepEqual(ids(await store.claims.claim("a1", me, 9, "", guard)), [rcs]);
      assert.deepEqual(ids(await store.claims.claim("a1", me, 9)), [sms, template]);
    });
  });

  describe("release", () => {
    it("puts back what its owner holds, and nothing else", async () => {
      const [a, b] = await takeJob(store, [{}, {}]);
      await claim(1);
      const back = (id: number) => ({ id, delay: 0, priority: 0, attempts: 1 });
      assert.deepEqual(await store.claims.release("a1", "somebody", [back(a!)]), []);
      assert.deepEqual(await store.claims.release("a1", me, [back(a!), back(b!)]), [a]);
      const claimed = await claim();
      assert.deepEqual(pick(claimed, "id", "attempts"), [
        [a, 1],
        [b, 0],
      ]);
    });

    it("lets a request wait for its time", async () => {
      const [a] = await takeJob(store);
      await claim();
      await store.claims.release("a1", me, [{ id: a!, delay: 5000, priority: 1, attempts: 1 }]);
      clock.pass(4999);
      assert.deepEqual(await claim(), []);
      assert.equal((await store.backlog.counts("a1")).nextDue, 1);
      assert.equal(await store.backlog.nextDue("a1", ""), 1);
      assert.equal(await store.backlog.nextDue("a2", ""), null);
      clock.pass(1);
      assert.deepEqual(ids(await claim()), [a]);
    });

    it("does not touch what is settled", async () => {
      const [a] = await takeJob(store);
      await claim();
      await store.settlements.settle(me, [answered(a!)]);
      const back = { id: a!, delay: 0, priority: 0, attempts: 1 };
      assert.deepEqual(await store.claims.release("a1", me, [back]), []);
      assert.deepEqual(await claim(), []);
    });

    it("finds what was claimed without its owner's knowledge", async () => {
      const [a, b] = await takeJob(store, [{}, {}]);
      await takeJob(store, [{}], { account: "a2" });
      await claim();
      await store.claims.claim("a2", me, 1);
      assert.deepEqual(await store.claims.releaseOthers("a1", me, [a!]), [b]);
      assert.deepEqual(ids(await claim()), [b]);
    });

    it("does not wait an hour longer when the clock is set back by an hour", async () => {
      const [a] = await takeJob(store);
      await claim();
      await store.claims.release("a1", me, [{ id: a!, delay: 60_000, priority: 0, attempts: 1 }]);
      const [b] = await takeJob(store);
      clock.time -= 3_600_000;
      assert.deepEqual(ids(await claim()), [b], "what waits for nothing goes on");
      assert.equal(await store.backlog.limitDelays("a1", 60_000), 1);
      clock.pass(60_000);
      assert.deepEqual(ids(await claim()), [a]);
    });
  });

  describe("outcomes", () => {
    it("are written once, by the owner", async () => {
      const [a] = await takeJob(store);
      assert.deepEqual(await store.settlements.settle(me, [answered(a!)]), [], "nobody has claimed it");
      await claim();
      assert.deepEqual(await store.settlements.settle("somebody", [answered(a!)]), []);
      const written = [{ id: a, outcome: "sent", resultOwner: "i1" }];
      assert.deepEqual(await store.settlements.settle(me, [answered(a!)]), written);
      assert.deepEqual(await store.settlements.settle(me, [answered(a!, { outcome: "rejected" })]), written);
      const [entry] = await store.history.search({}, null, 10);
      assert.deepEqual([entry?.outcome, entry?.settledBy, entry?.state], ["sent", "response", "settled"]);
    });

    it("stay to be emitted until they are marked, with the snapshot", async () => {
      const [a, b] = await takeJob(store, [{}, {}], { resultOwner: me });
      const [{ job } = { job: 0 }] = await claim();
      await store.settlements.settle(me, [answered(a!), answered(b!)]);
      assert.deepEqual(ids(await store.recovery.settled("a1", me, ["n1"], 0, 10)), [a, b]);
      await store.settlements.emitted([a!]);
      assert.deepEqual(ids(await store.recovery.settled("a1", me, ["n1"], 0, 10)), [b]);
      assert.equal((await store.recovery.job(job))?.snapshot ?? null, '{"payload":"hello"}');
      await store.settlements.emitted([b!]);
      assert.deepEqual(await store.recovery.settled("a1", me, ["n1"], 0, 10), []);
      assert.equal((await store.recovery.job(job))?.snapshot ?? null, null);
    });

    it("delete the text, unless texts are kept", async () => {
      const [a, b] = await takeJob(store, [{}, {}]);
      await claim();
      await store.settlements.settle(me, [answered(a!)]);
      await keeping.settlements.settle(me, [answered(b!)]);
      assert.equal(await contentOf(engine, a!), null);
      assert.equal(await contentOf(engine, b!), '{"messageContent":"hello"}');
    });
  });
}
