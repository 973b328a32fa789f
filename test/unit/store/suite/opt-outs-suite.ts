import assert from "node:assert/strict";
import type { OptOut } from "../../../../lib/store/guards/opt-outs";
import { answered, newEvent, type OpenStore, takeJob, useFixture, pick } from "./store-under-test";

const ANNA = "41790000001";
const BEAT = "41790000002";
const CARLA = "4369900000003";

/** Numbers of a country with many people, in no order. */
const many = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `4179${String((at * 7_919) % count).padStart(7, "0")}`);

/** The list of those who do not want messages, whatever the engine. */
export function optOutsSuite(open: OpenStore): void {
  const { clock, me, store } = useFixture(open);
  const list = (account = "a1") => store.optOuts(account);
  const all = async (account = "a1"): Promise<readonly OptOut[]> => list(account).page("", 1_000);

  describe("the opt-outs of an account", () => {
    it("are kept with scope, source and time, and belong to that account only", async () => {
      assert.equal(await list().add([ANNA, BEAT], "advertisement", "import"), 2);
      assert.deepEqual(await list().find([BEAT, CARLA]), [
        { number: BEAT, scope: "advertisement", at: clock.time, source: "import" },
      ]);
      assert.deepEqual(await list("a2").find([ANNA, BEAT]), []);
      assert.deepEqual([await list().count(), await list("a2").count()], [2, 0]);
      assert.equal(await list("a2").remove([ANNA]), 0);
      assert.equal(await list().count(), 2);
    });

    it("stay as they are when they come again, but become wider", async () => {
      const first = clock.time;
      await list().add([ANNA], "advertisement", "flow");
      clock.pass(1_000);
      assert.equal(await list().add([ANNA], "advertisement", "import"), 0);
      assert.deepEqual(await all(), [{ number: ANNA, scope: "advertisement", at: first, source: "flow" }]);
      assert.equal(await list().add([ANNA], "all", "inbound"), 1);
      const wide = { number: ANNA, scope: "all", at: clock.time, source: "inbound" };
      assert.deepEqual(await all(), [wide]);
      clock.pass(1_000);
      assert.equal(await list().add([ANNA], "advertisement", "flow"), 0);
      assert.equal(await list().add([ANNA], "all", "flow"), 0);
      assert.deepEqual(await all(), [wide]);
    });

    it("are taken back, and counted once each", async () => {
      await list().add([ANNA, BEAT], "all", "flow");
      assert.equal(await list().remove([ANNA, CARLA, ANNA]), 1);
      assert.deepEqual(pick(await all(), "number"), [BEAT]);
      assert.equal(await list().remove([]), 0);
      assert.deepEqual(await list().find([]), []);
      assert.equal(await list().add([], "all", "flow"), 0);
    });

    it("are read in pages in the order of the numbers, each one once", async () => {
      const numbers = many(2_345);
      assert.equal(await list().add([...numbers, CARLA], "all", "import"), 2_346);
      const read: string[] = [];
      for (;;) {
        const page = await list().page(read.at(-1) ?? "", 1_000);
        assert.ok(page.length <= 1_000);
        read.push(...page.map(({ number }) => number));
        if (page.length < 1_000) {
          break;
        }
      }
      assert.deepEqual(read, [...numbers, CARLA].sort());
    });

    it("are complete where several processes add the same numbers in another order", async () => {
      const numbers = many(1_000);
      const added = await Promise.all([
        list().add(numbers, "advertisement", "import"),
        list().add(numbers.toReversed(), "advertisement", "import"),
        list().add(numbers.toSorted(), "advertisement", "import"),
      ]);
      assert.equal(added[0] + added[1] + added[2], 1_000);
      assert.equal(await list().count(), 1_000);
    });

    it("are emptied for one account", async () => {
      await list().add(many(1_234), "all", "import");
      await list("a2").add([ANNA], "all", "flow");
      assert.equal(await list().clear(), 1_234);
      assert.deepEqual([await list().count(), await list("a2").count()], [0, 1]);
    });

    it("outlive the deletion of everything about their number, and of what is old", async () => {
      const [id = 0] = await takeJob(store, [{ recipients: [ANNA] }]);
      await store.claims.claim("a1", me, 1);
      await store.settlements.settle(me, [answered(id, { emitted: true })]);
      await store.deliveries.note("a1", [newEvent({ kind: "inbound", number: ANNA, status: null })]);
      await list().add([ANNA], "all", "inbound");
      assert.deepEqual(await store.retention.deleteNumber(ANNA), {
        recipients: 1,
        events: 1,
        open: 0,
        gathered: 0,
      });
      clock.pass(366 * 86_400_000);
      await store.retention.deleteOld("a1", 1);
      await store.retention.deleteRemoved("a1", 1);
      assert.deepEqual(pick(await list().find([ANNA]), "number"), [ANNA]);
    });
  });
}
