import assert from "node:assert/strict";
import { resultsTopic } from "../../../../../lib/store/schema/topics";
import { waitFor } from "../../../../support/wait-for";
import { answered, type OpenStore, takeJob, useFixture } from "../store-under-test";

const ORIGIN = "https://service.example";

/** What processes share in a store, whatever its engine. */
export function instancesSuite(open: OpenStore): void {
  const { engine, me, store } = useFixture(open);

  describe("a back-off that all share", () => {
    it("lets nothing of the service leave during a back-off", async () => {
      await takeJob(store);
      await store.rates.block(ORIGIN, 60_000);
      await store.rates.block(ORIGIN, 10);
      assert.ok((await store.rates.blockedFor(ORIGIN)) > 10);
      assert.deepEqual(await store.claims.claim("a1", me, 1, ORIGIN), []);
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
  });
}
