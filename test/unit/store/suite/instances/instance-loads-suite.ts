import assert from "node:assert/strict";
import { readInstanceLoads } from "../../../../../lib/store/instance-loads";
import { NOW } from "../../../../../lib/store/schema/sql";
import { statement } from "../../../../../lib/store/schema/statement";
import { age, answered, type OpenStore, takeJob, useFixture } from "../store-under-test";
import { call } from "../../../../../lib/store/engine/query";

const OTHER = statement("test_loads_other")`
  INSERT INTO instances (id, host, process, started_at, beat_at, dead_at)
    VALUES (?1, 'other-host', 42, ${NOW} - ?2, ${NOW} - ?3, ${NOW} - CAST(?4 AS bigint))`;

const MINUTE = 60_000;

/** What the sidebar shows of the processes of a store, whatever its engine. */
export function instanceLoadsSuite(open: OpenStore): void {
  const { engine, me, store } = useFixture(open);
  const read = (most?: number) => readInstanceLoads(engine, "a1", most);

  /** An instance that started, beat and ended that many ms ago. */
  const other = (id: string, started: number, beat: number, ended: number | null = null) =>
    engine.run([call(OTHER, id, started, beat, ended)]);
  const statesOf = async (): Promise<readonly string[]> =>
    (await read()).instances.map(({ id, state }) => `${id === me ? "me" : id} ${state}`);

  describe("the processes of a store", () => {
    it("are listed with host, process and time, by the clock of the database", async () => {
      await other("other", 3 * MINUTE, 4_000);
      const { instances } = await read();
      const [one, mine] = instances;
      assert.equal(mine?.id, me);
      assert.equal(mine?.process, process.pid);
      assert.ok(one !== undefined);
      const { startedAt, quietFor, ...rest } = one;
      assert.deepEqual(rest, {
        id: "other",
        host: "other-host",
        process: 42,
        state: "alive",
        leaving: 0,
        taken: 0,
      });
      assert.ok(quietFor >= 4_000 && quietFor < 10_000, String(quietFor));
      const between = mine.startedAt - startedAt;
      assert.ok(between <= 3 * MINUTE && between > 2 * MINUTE, String(between));
    });

    it("are alive, silent after two missed heartbeats, or ended", async () => {
      await other("fresh", 9 * MINUTE, 9_000);
      await other("late", 8 * MINUTE, 11_000);
      await other("left", 7 * MINUTE, 6 * MINUTE, 5 * MINUTE);
      await other("died", 7 * MINUTE, 3 * MINUTE, 2 * MINUTE);
      await other("forgotten", 90 * MINUTE, 80 * MINUTE, 61 * MINUTE);
      assert.deepEqual(await statesOf(), [
        "fresh alive",
        "late silent",
        "me alive",
        "died ended",
        "left ended",
      ]);
      const { quietFor = 0 } = (await read()).instances.find(({ id }) => id === "left") ?? {};
      assert.ok(quietFor >= 5 * MINUTE && quietFor < 6 * MINUTE, "counted from the heartbeat, not the end");
    });

    it("are alive where the clock was set back after the heartbeat", async () => {
      await age(engine, me, -MINUTE);
      const [mine] = (await read()).instances;
      assert.deepEqual([mine?.state, mine?.quietFor], ["alive", 0]);
    });
  });

  describe("the load of a process", () => {
    it("is what it sends, and what it has taken and is not done, of this account", async () => {
      await other("other", MINUTE, 0);
      await takeJob(store, [{}, {}, {}], { resultOwner: me });
      await takeJob(store, [{}], { resultOwner: "other" });
      await takeJob(store, [{}, {}], { resultOwner: "other" });
      await takeJob(store, [{}], { resultOwner: me, account: "a2" });
      await store.claims.claim("a1", me, 2);
      await store.claims.claim("a1", "other", 3);
      await store.claims.claim("a2", me, 1);
      const { instances, complete } = await read();
      assert.deepEqual(
        instances.map(({ id, leaving, taken }) => [id === me ? "me" : id, leaving, taken]),
        [
          ["other", 3, 2],
          ["me", 2, 1],
        ],
      );
      assert.equal(complete, true);
    });

    it("ends for a message when its last result has left", async () => {
      const [first = 0, second = 0] = await takeJob(store, [{}, {}], { resultOwner: me });
      await store.claims.claim("a1", me, 2);
      const loadOf = async () => (await read()).instances.map(({ leaving, taken }) => [leaving, taken]);
      await store.settlements.settle(me, [answered(first, { emitted: true })]);
      assert.deepEqual(await loadOf(), [[1, 1]]);
      await store.settlements.settle(me, [answered(second)]);
      assert.deepEqual(await loadOf(), [[0, 1]], "its result has not left");
      await store.settlements.emitted([second]);
      assert.deepEqual(await loadOf(), [[0, 0]]);
    });

    it("stays with one that ended, until others settle and adopt it", async () => {
      await other("other", MINUTE, 0);
      await takeJob(store, [{}, {}], { resultOwner: "other" });
      await store.claims.claim("a1", "other", 1);
      await store.instances("other").leave();
      const loads = async () =>
        (await read()).instances.map(({ id, leaving, taken }) => [id === me ? "me" : id, leaving, taken]);
      assert.deepEqual(await loads(), [
        ["me", 0, 0],
        ["other", 1, 1],
      ]);
      await store.recovery.settleOrphans();
      await store.recovery.adopt(me, "a1", ["n1"]);
      assert.deepEqual(await loads(), [
        ["me", 0, 1],
        ["other", 0, 0],
      ]);
    });

    it("is counted up to a limit, which is said", async () => {
      for (let n = 0; n < 4; n++) {
        await takeJob(store, [{}, {}, {}], { resultOwner: me });
      }
      const counted = async (most: number) => {
        const { instances, complete } = await read(most);
        return [instances[0]?.taken, complete];
      };
      assert.deepEqual(await counted(3), [3, false]);
      assert.deepEqual(await counted(4), [4, false]);
      assert.deepEqual(await counted(5), [4, true]);
    });
  });
}
