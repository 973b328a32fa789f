import assert from "node:assert/strict";
import type { NewRequest } from "../../../../lib/store/jobs/jobs";
import { NO_RULES } from "../../../../lib/store/guards/request-rules";
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
}
