import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { NO_RULES } from "../../../../../lib/store/guards/request-rules";
import { LEASE } from "../../../../../lib/store/instances";
import { queueTopic } from "../../../../../lib/store/schema/topics";
import { waitFor } from "../../../../support/wait-for";
import {
  age,
  answered,
  kill,
  newEvent,
  outcomes,
  type OpenStore,
  takeJob,
  useFixture,
  pick,
} from "../store-under-test";

const ORIGIN = "https://service.example";

/** Several processes that live at the same time, in a store that more than one can open. */
export function processesSuite(open: OpenStore): void {
  const { clock, engine, me, mine, store } = useFixture(open);

  /** Another process. */
  const another = async () => {
    const instances = store.instances(randomUUID());
    await instances.start();
    return instances;
  };

  it("have a share of a rate each while they live and send to the service", async () => {
    const other = await another();
    await store.rates.renewShare(ORIGIN, me);
    await store.rates.renewShare(ORIGIN, other.id);
    await store.rates.renewShare("https://other.example", (await another()).id);
    assert.equal(await store.rates.countShares(ORIGIN, LEASE), 2);
    await other.leave();
    assert.equal(await store.rates.countShares(ORIGIN, LEASE), 1);
  });

  it("are adopted from by one alone", async () => {
    const other = await another();
    await takeJob(store, [{}, {}], { resultOwner: "gone" });
    await takeJob(store, [{}], { resultOwner: "gone", node: "elsewhere" });
    await takeJob(store, [{}], { resultOwner: me });
    const adopted = await Promise.all([
      store.recovery.adopt(me, "a1", ["n1"]),
      store.recovery.adopt(other.id, "a1", ["n1"]),
    ]);
    assert.equal(
      adopted.reduce((sum, { length }) => sum + length, 0),
      1,
    );
  });

  it("give messages back at the same time as others reserve, and lose no count of a limit and no once key", async () => {
    const other = await another();
    const limits = {
      hour: 1_000,
      day: null,
      numberHour: 1_000,
      numberDay: null,
      hourStarts: 0,
      dayStarts: 0,
    };
    const told: number[] = [];
    const onUsage = (spent: { readonly hour: number }) => void told.push(spent.hour);
    const guard = { destination: "", limits, onUsage };
    await takeJob(
      store,
      Array.from({ length: 120 }, (_, n) => ({
        recipients: ["41790000001", String(41791000000 + (n % 10))],
        rules: { ...NO_RULES, once: { key: `key ${n % 20}`, within: 60_000, hash: "h" } },
      })),
    );
    const sent: string[] = [];
    const work = async (owner: string): Promise<void> => {
      for (;;) {
        const claimed = await store.claims.claim("a1", owner, 5, "", guard);
        if (claimed.length === 0) {
          return;
        }
        await Promise.all(
          claimed.map(async ({ id, recipients, held, priority }) => {
            const gone = new Set(pick(held, "number"));
            const unsent = gone.size > 0;
            if (gone.size === 0 && priority === 0) {
              // The first try fails before anything leaves.
              const back = { id, delay: 0, priority: 1, attempts: 1, guarded: true };
              await store.claims.release("a1", owner, [back]);
              return;
            }
            sent.push(...(unsent ? [] : recipients));
            const outcome = unsent ? ("rejected" as const) : ("sent" as const);
            await store.settlements.settle(owner, [{ ...answered(id), outcome, guarded: true }]);
          }),
        );
      }
    };
    await Promise.all([work(me), work(other.id), work(me), work(other.id)]);
    await takeJob(store, [{ recipients: ["41790000009"] }]);
    await store.claims.claim("a1", me, 1, "", guard);
    assert.equal(told.at(-1), sent.length + 1);
    // One message for each key at most, which goes to two numbers.
    assert.ok(sent.length > 0 && sent.length <= 40, `${sent.length}`);
  });

  it("are found dead once by each, also when they have left in order", async () => {
    const other = await another();
    const third = await another();
    await mine.findExpired();
    await age(engine, other.id, LEASE + 1_000);
    await third.leave();
    assert.deepEqual([...(await mine.findExpired())].sort(), [other.id, third.id].sort());
    assert.deepEqual(await mine.findExpired(), []);
    assert.equal(await other.sendHeartbeat(), false, "it is dead for itself, too");
    assert.equal(other.mayLeave, false);
  });

  it("say of a late answer who emits the result that others have settled", async () => {
    const other = await another();
    await takeJob(store, [{ clientMessageId: "order-7" }], { resultOwner: me });
    const [request] = await store.claims.claim("a1", me, 1);
    const { id } = request!;
    await store.deliveries.note("a1", [newEvent({ clientMessageId: "order-7" })]);
    await kill(engine, me);
    await store.recovery.settleOrphans();
    await store.recovery.adopt(other.id, "a1", ["n1"]);
    const late = { id, outcome: "sent", resultOwner: other.id };
    assert.deepEqual(await store.settlements.settle(me, [answered(id)]), [late]);
    await store.settlements.emitted([id]);
    assert.deepEqual(await store.settlements.settle(me, [answered(id)]), [{ ...late, resultOwner: null }]);
  });

  it("send nothing to somebody whose opt-out another one has heard", async () => {
    const other = await another();
    await takeJob(store, [{ recipients: ["41790000001"] }, { recipients: ["41790000001"] }]);
    const [first] = await store.claims.claim("a1", me, 1);
    await store.optOuts("a1").add(["41790000001"], "all", "inbound");
    const [second] = await store.claims.claim("a1", other.id, 1);
    assert.deepEqual([first?.held.length, second?.held.map(({ reason }) => reason)], [0, ["opted-out"]]);
  });

  it("send one of twenty messages with the same once key, whoever claims them", async () => {
    const other = await another();
    const once = { key: "order-7", within: 60_000, hash: "h" };
    for (let n = 0; n < 20; n++) {
      await takeJob(store, [{ recipients: ["41790000001", "41790000002"], rules: { ...NO_RULES, once } }]);
    }
    const claims = Array.from({ length: 20 }, (_, n) =>
      store.claims.claim("a1", n % 2 === 0 ? me : other.id, 1),
    );
    const requests = (await Promise.all(claims)).flat();
    assert.equal(requests.length, 20);
    assert.equal(requests.filter(({ held }) => held.length === 0).length, 1);
    assert.equal(requests.filter(({ held }) => held.length === 2).length, 19);
  });

  it("hear of what another one has woken and not taken", async () => {
    let told = 0;
    const end = engine.listen(queueTopic("a1"), () => told++);
    const scheduled = clock.now() + 1_000;
    await takeJob(
      store,
      [1, 2, 3].map(() => ({ rules: { ...NO_RULES, scheduled } })),
    );
    await waitFor("the word of the new message", () => told > 0);
    clock.pass(1_000);
    told = 0;
    assert.equal((await store.claims.claim("a1", me, 1)).length, 1);
    await waitFor("the word of what is ready now", () => told > 0);
    end();
  });

  it("keep the messages of each other's nodes in the queue, while they live", async () => {
    const other = await another();
    await other.runs("a1", ["n1", "n2"]);
    await mine.runs("a1", ["n2", "n3"]);
    await takeJob(store);
    assert.equal(await store.queue.park("a1", ["n2", "n3"]), 0);
    assert.deepEqual([...(await mine.nodesElsewhere("a1"))].sort(), ["n1", "n2"]);
    await kill(engine, other.id);
    assert.equal(await store.queue.park("a1", ["n2", "n3"]), 1);
    await mine.runs("a1", ["n1"]);
    assert.deepEqual(await mine.nodesElsewhere("a1"), []);
    assert.equal(await store.queue.park("a1", ["n1"]), 0);
    assert.equal((await store.backlog.counts("a1")).ready, 1);
  });

  it("settle what is unknown by an event that comes at the same moment as the answer", async () => {
    const names = Array.from({ length: 80 }, (_unused, at) => `m${at}`);
    const ids = await takeJob(
      store,
      names.map((name, at) => ({ clientMessageId: at % 2 === 0 ? name : null })),
    );
    await store.claims.claim("a1", me, names.length);
    for (const [at, id] of ids.entries()) {
      const transferId = names[at] ?? "";
      const event = at % 2 === 0 ? { clientMessageId: transferId } : { transferId };
      const told = () => store.deliveries.note("a1", [newEvent(event)]);
      const answer = () => store.settlements.settle(me, [answered(id, { outcome: "unknown", transferId })]);
      // One by one, because what is asked for together is one operation.
      await Promise.all(at % 4 < 2 ? [told(), answer()] : [answer(), told()]);
    }
    await store.deliveries.link(60_000);
    assert.equal(await outcomes(engine, "unknown"), 0);
    assert.equal(await outcomes(engine, "sent"), names.length);
  });
}
