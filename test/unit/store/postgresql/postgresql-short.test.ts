import assert from "node:assert/strict";
import { Client } from "pg";
import { call } from "../../../../lib/store/engine/query";
import { statement } from "../../../../lib/store/schema/statement";
import { useOwnPostgresql } from "../../../support/store/use-postgresql";
import { waitFor } from "../../../support/wait-for";
import { ADD, add, END_ME, fails, LIST, list, SLEEP, SUM, TOUCH, useEngines } from "../engine-statements";

const TRANSACTION = statement("test_pg_transaction")`SELECT txid_current() AS id`;
const TYPES = statement("test_pg_types")`
    SELECT CAST(9007199254740991 AS bigint) AS big, 7 AS whole, CAST('[1]' AS json) AS list, CAST(NULL AS text) AS nothing,
    CAST(?1 AS text) AS text, CAST(?2 AS integer) AS number, CAST(?3 AS text) AS absent`;
const MISSING = statement("test_pg_missing")`SELECT 1 FROM no_such_table`;
const FORGET = statement("test_pg_deallocate")`DEALLOCATE ALL`;

describe("short operations on a PostgreSQL server", () => {
  const server = useOwnPostgresql();
  const open = useEngines();
  afterEach(async () => {
    await server().thaw();
  });
  const opened = async (settings: Partial<Parameters<typeof open>[0]> = {}) => {
    const url = await server().newDatabase();
    const engine = open({ url, connections: 1, ...settings });
    await add(engine, "a");
    return { url, engine };
  };

  it("that are asked for at the same moment are one transaction", async () => {
    const { engine } = await opened();
    const ask = () => engine.run([call(TRANSACTION)], [], "own");
    const [one, two] = await Promise.all([ask(), ask()]);
    const other = await ask();
    assert.deepEqual(one, two);
    assert.notDeepEqual(one, other);
  });

  it("have the same rows as others, the first time and later", async () => {
    const { engine } = await opened();
    const calls = [call(TYPES, "ä😀\n'\"$1", 12, null), call(LIST), call(TOUCH, "none")];
    const expected = await engine.run(calls);
    assert.equal(expected[0]?.[0]?.nothing, null);
    assert.deepEqual(await engine.run(calls, [], "own"), expected);
    assert.deepEqual(await engine.run([...calls, ...calls], [], "own"), [...expected, ...expected]);
    const { engine: fresh } = await opened();
    assert.deepEqual(await fresh.run([...calls, ...calls], [], "own"), [...expected, ...expected]);
    assert.deepEqual(await fresh.run(calls), expected);
  });

  it("succeed where another one of their transaction is refused, as it is prepared or as it is run", async () => {
    const { engine } = await opened();
    const results = [
      engine.run([call(ADD, "b")], [], "own"),
      fails(engine.run([call(ADD, "c"), call(MISSING)], [], "own"), "STORE_REFUSED"),
      fails(engine.run([call(ADD, "d"), call(ADD, "a")], [], "own"), "STORE_REFUSED"),
      engine.run([call(ADD, "e")], [], "contended"),
    ];
    await Promise.all(results);
    assert.deepEqual(await list(engine), ["a", "b", "e"]);
    await engine.run([call(ADD, "f"), call(LIST)], [], "own");
  });

  it("tell topics when they are committed, and not when they failed", async () => {
    const { engine } = await opened();
    let told = 0;
    engine.listen("topic", () => told++);
    await fails(engine.run([call(ADD, "a")], ["topic"], "own"), "STORE_REFUSED");
    assert.equal(told, 0);
    await engine.run([call(ADD, "b")], ["topic"], "own");
    assert.equal(told, 1);
  });

  it("are repeated after a deadlock", async () => {
    const { url, engine } = await opened();
    await add(engine, "b");
    const other = open({ url });
    const crossed = (by: typeof engine, first: string, second: string) =>
      by.run([call(TOUCH, first), call(SLEEP, 0.2), call(TOUCH, second)], [], "own");
    await Promise.all([crossed(engine, "a", "b"), crossed(other, "b", "a")]);
    assert.deepEqual((await engine.run([call(SUM)], [], "own"))[0], [{ sum: 6 }]);
  });

  it("wait for a lock of another one once, and are done then", async () => {
    const { url, engine } = await opened({ lockTimeout: 500 });
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query("SET search_path TO messaging");
      await client.query("BEGIN");
      await client.query("UPDATE paused_accounts SET at = at WHERE account = 'a'");
      const waits = fails(engine.run([call(TOUCH, "a")], [], "contended"), "STORE_SLOW");
      const start = performance.now();
      await engine.run([call(ADD, "b")], [], "own");
      const time = performance.now() - start;
      await waits;
      // With the other one it would be tried five times, of ten in all.
      const all = performance.now() - start;
      assert.ok(time < all / 3, `${time} ms of ${all}`);
    } finally {
      await client.end();
    }
  });

  it("prepare their statements anew where the server has forgotten them", async () => {
    const { engine } = await opened();
    await engine.run([call(LIST)], [], "own");
    await engine.run([call(FORGET)]);
    assert.deepEqual((await engine.run([call(LIST)], [], "own"))[0], [{ account: "a" }]);
  });

  it("surely did not happen where the server ended them with a word before the last statement", async () => {
    const { engine } = await opened();
    await fails(
      engine.run([call(ADD, "b"), call(END_ME), call(LIST)], [], "own"),
      "STORE_UNREACHABLE",
      false,
    );
    assert.deepEqual(await list(engine), ["a"]);
  });

  it("are all uncertain where the server dies, and none is run again", async () => {
    const { url, engine } = await opened();
    const lost = [
      fails(engine.run([call(ADD, "b"), call(SLEEP, 30)], [], "own"), "STORE_UNREACHABLE", true),
      fails(engine.run([call(ADD, "c")], [], "own"), "STORE_UNREACHABLE", true),
    ];
    await waitFor("the transaction to be under way", async () => {
      const rows = await server().query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'", url);
      return rows.length === 1;
    });
    await server().kill();
    await Promise.all(lost);
    await server().start();
    assert.deepEqual(await waitFor("the server", () => list(engine).catch(() => null)), ["a"]);
  });

  it("are given up when the server says nothing more", async () => {
    const { engine } = await opened({ answerTimeout: 2_000, connectTimeout: 2_000 });
    await server().freeze();
    await fails(engine.run([call(ADD, "b")], [], "own"), "STORE_SLOW", true);
  });

  it("are finished before the engine closes", async () => {
    const { url, engine } = await opened();
    const added = ["b", "c", "d"].map((name) =>
      engine.run([call(ADD, name)], [], name === "d" ? "patient" : "own"),
    );
    await engine.close();
    await Promise.all(added);
    assert.deepEqual(await list(open({ url })), ["a", "b", "c", "d"]);
  });
});
