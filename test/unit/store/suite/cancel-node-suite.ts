import assert from "node:assert/strict";
import type { NewRequest } from "../../../../lib/store/jobs/jobs";
import { NO_RULES } from "../../../../lib/store/guards/request-rules";
import { resultsTopic } from "../../../../lib/store/schema/topics";
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
    const [leaving = 0] = await takeJob(store, [{}], { resultOwner: me });
    await store.claims.claim("a1", me, 1);
    const ready = await takeJob(store, [{}, {}], { resultOwner: me });
    const waiting = await takeJob(store, [{}], { resultOwner: me });
    await schedule(engine, waiting[0] ?? 0, clock.time + HOUR);
    const held = await takeJob(store, [{}], { resultOwner: me });
    const [{ job } = { job: 0 }] = await store.history.search({}, null, 1);
    await store.queue.holdJob(job);
    const others = [
      ...(await takeJob(store, [{}], { resultOwner: me, node: "n2" })),
      ...(await takeJob(store, [{}], { resultOwner: me, account: "a2" })),
    ];
    assert.equal(await cancel(null), 4);
    const all = [leaving, ...ready, ...waiting, ...held, ...others];
    assert.deepEqual(await cancelledOf(all), [...ready, ...waiting, ...held]);
    assert.equal(await cancel(null), 0);
    await store.settlements.settle(me, [answered(leaving)]);
  });

  it("is found among many jobs of other nodes", async () => {
    const nodes = Array.from({ length: 1_100 }, (_, at) => (at % 275 === 0 ? "n1" : "n2"));
    await Promise.all(nodes.map((node) => takeJob(store, [{}], { resultOwner: me, node })));
    assert.equal(await cancel(null), 4);
    assert.equal(await cancel(null, "n2"), 1_096);
  });

  it("is told to the process that has to emit the results", async () => {
    await takeJob(store, ids("order"), { resultOwner: me });
    let told = 0;
    const end = engine.listen(resultsTopic(me), () => told++);
    await cancel(["order"]);
    end();
    assert.ok(told > 0);
  });

  for (const [what, jobs, steps] of [
    [
      "what has the id or the once key",
      [ids("order-7"), ids("order-8"), [once("order-7")]],
      [
        [
          ["order-7", "order-9"],
          [0, 2],
        ],
        [
          ["order-8", "order-8"],
          [0, 1, 2],
        ],
        [["order"], [0, 1, 2]],
        [[], [0, 1, 2]],
      ],
    ],
    [
      "every request of a list by the id of the message, or one by its own",
      [ids("news-1", "news-2", "news-3")],
      [
        [["news-2"], [1]],
        [["news"], [0, 1, 2]],
      ],
    ],
    [
      "not a message of its own whose id looks like that of a part",
      [ids("order-1"), ids("order-1-1", "order-1-2"), ids("order-2")],
      [
        [["order"], []],
        [["order-1"], [0, 1, 2]],
      ],
    ],
    [
      "the only request of a list of which a part is not sent",
      [[...ids("news-1"), { recipients: [] }]],
      [[["news"], [0]]],
    ],
  ] as readonly [string, Partial<NewRequest>[][], [string[], number[]][]][]) {
    it(`is ${what}`, async () => {
      const all: number[] = [];
      for (const each of jobs) all.push(...(await takeJob(store, each, { resultOwner: me })));
      const others = await takeJob(store, jobs.flat(), { resultOwner: me, node: "n2" });
      let before = 0;
      for (const [keys, expected] of steps) {
        assert.equal(await cancel(keys), expected.length - before, keys.join());
        before = expected.length;
        assert.deepEqual(
          await cancelledOf([...all, ...others]),
          expected.map((at) => all[at]),
        );
      }
    });
  }

  it("is a long list by its once key", async () => {
    const list = await takeJob(
      store,
      Array.from({ length: 1_200 }, () => once("news")),
      { resultOwner: me },
    );
    const [{ job } = { job: 0 }] = await store.history.search({}, null, 1);
    assert.ok(job > 0);
    await store.claims.claim("a1", me, 3);
    assert.equal(await cancel(["news"]), list.length - 3);
    assert.deepEqual(await store.claims.claim("a1", me, 3), []);
  });
}
