import assert from "node:assert/strict";
import type { NewRequest } from "../../../../lib/store/jobs";
import { NO_RULES } from "../../../../lib/store/guards/request-rules";
import { resultsTopic } from "../../../../lib/store/topics";
import { answered, type OpenStore, schedule, takeJob, useFixture } from "./store-under-test";

const CANCELLED = { outcome: "retry-later", answer: "{}" } as const;
const HOUR = 3_600_000;

const once = (key: string): Partial<NewRequest> => ({
  rules: { ...NO_RULES, once: { key, within: HOUR, hash: "h" } },
});
const ids = (...all: readonly (string | null)[]): Partial<NewRequest>[] =>
  all.map((clientMessageId) => ({ clientMessageId }));

/** What a message of the flow cancels of its node, whatever the engine of the store. */
export function cancelNodeSuite(open: OpenStore): void {
  const { clock, engine, me, store } = useFixture(open);
  const cancel = (keys: readonly string[] | null, node = "n1", account = "a1"): Promise<number> =>
    store.queue.cancelNode(account, node, keys, CANCELLED);
  /** Ids of the requests that were cancelled, out of some. */
  async function cancelledOf(requests: readonly number[]): Promise<readonly number[]> {
    const entries = await store.history.search({}, null, 200);
    const cancelled = new Set(
      entries.filter(({ settledBy }) => settledBy === "cancel").map(({ request }) => request),
    );
    return requests.filter((id) => cancelled.has(id));
  }

  it("is everything of the node that has not left, and nothing of other nodes and accounts", async () => {
    const [leaving = 0] = await takeJob(store, [{}], { taker: me });
    await store.claims.claim("a1", me, 1);
    const ready = await takeJob(store, [{}, {}], { taker: me });
    const waiting = await takeJob(store, [{}], { taker: me });
    await schedule(engine, waiting[0] ?? 0, clock.time + HOUR);
    const held = await takeJob(store, [{}], { taker: me });
    const [{ job } = { job: 0 }] = await store.history.search({}, null, 1);
    await store.queue.holdJob(job);
    const others = [
      ...(await takeJob(store, [{}], { taker: me, node: "n2" })),
      ...(await takeJob(store, [{}], { taker: me, account: "a2" })),
    ];
    assert.equal(await cancel(null), 4);
    const all = [leaving, ...ready, ...waiting, ...held, ...others];
    assert.deepEqual(await cancelledOf(all), [...ready, ...waiting, ...held]);
    assert.equal(await cancel(null), 0);
    await store.settlements.settle(me, [answered(leaving)]);
  });

  it("is found among many jobs of other nodes", async () => {
    const nodes = Array.from({ length: 1_100 }, (_, at) => (at % 275 === 0 ? "n1" : "n2"));
    await Promise.all(nodes.map((node) => takeJob(store, [{}], { taker: me, node })));
    assert.equal(await cancel(null), 4);
    assert.equal(await cancel(null, "n2"), 1_096);
  });

  it("is told to the process that has to emit the results", async () => {
    await takeJob(store, ids("order"), { taker: me });
    let told = 0;
    const end = engine.listen(resultsTopic(me), () => told++);
    await cancel(["order"]);
    end();
    assert.ok(told > 0);
  });

  it("is what has the id or the once key", async () => {
    const [a = 0, b = 0, c = 0, d = 0] = [
      ...(await takeJob(store, ids("order-7"), { taker: me })),
      ...(await takeJob(store, ids("order-8"), { taker: me })),
      ...(await takeJob(store, [once("order-7")], { taker: me })),
      ...(await takeJob(store, ids("order-7"), { taker: me, node: "n2" })),
    ];
    assert.equal(await cancel(["order-7", "order-9"]), 2);
    assert.deepEqual(await cancelledOf([a, b, c, d]), [a, c]);
    assert.equal(await cancel(["order-8", "order-8"]), 1);
    assert.equal(await cancel(["order"]), 0);
    assert.equal(await cancel([]), 0);
  });

  it("is every request of a list by the id of the message, or one by its own", async () => {
    const list = await takeJob(store, ids("news-1", "news-2", "news-3"), { taker: me });
    assert.equal(await cancel(["news-2"]), 1);
    assert.deepEqual(await cancelledOf(list), [list[1]]);
    assert.equal(await cancel(["news"]), 2);
    assert.deepEqual(await cancelledOf(list), list);
  });

  it("is not a message of its own whose id looks like that of a part", async () => {
    const alone = await takeJob(store, ids("order-1"), { taker: me });
    const list = await takeJob(store, ids("order-1-1", "order-1-2"), { taker: me });
    const other = await takeJob(store, ids("order-2"), { taker: me });
    assert.equal(await cancel(["order"]), 0);
    assert.equal(await cancel(["order-1"]), 3);
    assert.deepEqual(await cancelledOf([...alone, ...list, ...other]), [...alone, ...list]);
  });

  it("is the only request of a list of which a part is not sent", async () => {
    const list = await takeJob(store, [...ids("news-1"), { recipients: [] }], { taker: me });
    assert.equal(await cancel(["news"]), 1);
    assert.deepEqual(await cancelledOf(list), [list[0]]);
  });

  it("is a long list by its once key", async () => {
    const list = await takeJob(
      store,
      Array.from({ length: 1_200 }, () => once("news")),
      { taker: me },
    );
    const [{ job } = { job: 0 }] = await store.history.search({}, null, 1);
    assert.ok(job > 0);
    await store.claims.claim("a1", me, 3);
    assert.equal(await cancel(["news"]), list.length - 3);
    assert.deepEqual(await store.claims.claim("a1", me, 3), []);
  });
}
