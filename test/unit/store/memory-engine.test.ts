import assert from "node:assert/strict";
import { call } from "../../../lib/store/engine/query";
import { waitFor } from "../../support/wait-for";
import { ADD, add, fails, list, once } from "./engine-statements";
import { openPages } from "./open-memory";
import { answered, countRows, newEvent, takeJob, useFixture } from "./suite/store-under-test";

/** More than one eviction deletes. */
const MANY = 600;
const JOBS = once("SELECT id FROM messages ORDER BY id");
const SLOW = once(`
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300000)
  SELECT max(n) AS n FROM numbers`);

describe("MemoryEngine", () => {
  const { engine, store, me } = useFixture(openPages(350));

  const take = (length = 2_000): Promise<readonly number[]> =>
    takeJob(store, [{ content: "x".repeat(length) }]);
  const finish = async (count: number): Promise<void> => {
    const claimed = await store.claims.claim("a1", me, count);
    await store.settlements.settle(
      me,
      claimed.map(({ id }) => answered(id, { emitted: true })),
    );
  };
  const jobs = async (): Promise<unknown[]> => (await engine.run([JOBS]))[0]!.map(({ id }) => id);

  it("undoes an operation that fails, and no other", async () => {
    const ends = await Promise.allSettled([add(engine, "a"), add(engine, "b", "b"), add(engine, "c")]);
    assert.deepEqual(
      ends.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    await fails(add(engine, "d", "a"), "STORE_REFUSED");
    assert.deepEqual(await list(engine), ["a", "c"]);
  });

  it("runs operations of one tick in their order, and tells listeners", async () => {
    let told = 0;
    engine.listen("topic", () => told++);
    const [none, , one, , both] = await Promise.all([
      list(engine),
      engine.run([call(ADD, "a")], ["topic"]),
      list(engine),
      add(engine, "b"),
      list(engine),
    ]);
    assert.deepEqual([none, one, both, told], [[], ["a"], ["a", "b"], 1]);
  });

  it("lets the event loop turn during a long row of operations", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await Promise.all(Array.from({ length: 6 }, () => engine.run([SLOW])));
    clearInterval(timer);
    assert.ok(turns > 2, `${turns} turns`);
  });

  it("deletes the oldest finished messages, then events, and refuses what waits last", async () => {
    await store.deliveries.note(
      "a1",
      Array.from({ length: MANY }, () => newEvent()),
    );
    await Promise.all(Array.from({ length: MANY }, () => takeJob(store)));
    await finish(MANY);
    const finished = await jobs();
    const waiting: number[] = [];
    const fill = async (isEnough: () => Promise<boolean>): Promise<void> => {
      while (!(await isEnough())) {
        waiting.push(...(await take()));
      }
    };
    await fill(async () => !(await jobs()).includes(finished.at(0)));
    const left = (await jobs()).filter((id) => finished.includes(id));
    assert.ok(left.length > 0);
    assert.deepEqual(left, finished.slice(-left.length));
    assert.equal((await countRows(engine)).events, MANY);
    await fill(async () => Number((await countRows(engine)).events) < MANY);
    assert.equal((await countRows(engine)).messages, waiting.length);
    await assert.rejects(
      fill(async () => false),
      { code: "STORE_MEMORY_FULL" },
    );
    const { messages: kept, events } = await countRows(engine);
    assert.deepEqual([kept, events], [waiting.length, 0]);
  });

  it("sends and settles messages that fill it, and then accepts others", async () => {
    while (await take(20).catch(() => null));
    await finish(200);
    await waitFor("room", () => take().catch(() => null));
  });

  it("refuses a message that is larger than all pages", async () => {
    await assert.rejects(take(3_000_000), { code: "STORE_MEMORY_FULL" });
    await take();
  });
});
