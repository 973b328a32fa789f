import assert from "node:assert/strict";
import { readInstanceLoads } from "../../../../../lib/store/instance-loads";
import { NOW } from "../../../../../lib/store/schema/sql";
import { statement } from "../../../../../lib/store/schema/statement";
import { type OpenStore, takeJob, useFixture } from "../store-under-test";
import { call } from "../../../../../lib/store/engine/query";

const OTHER = statement("test_loads_other")`
  INSERT INTO instances (id, host, process, started_at, heartbeat_at, expired_at)
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
  });
}
