import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { call } from "../../../../lib/store/engine/query";
import { sharePostgresql } from "../../../../lib/store/engine/postgresql/shared-postgresql";
import { statement } from "../../../../lib/store/schema/statement";
import { Store } from "../../../../lib/store/store";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { waitFor } from "../../../support/wait-for";
import { ADD, add, fails, LIST, list, SLEEP, SUM, TOUCH, useEngines } from "../engine-statements";
import { engineSuite } from "../suite/engine-suite";
import { newJob, newRequest } from "../suite/store-under-test";

const SETTINGS = {
  fsync: "on",
  synchronous_commit: "on",
  client_encoding: "UTF8",
  statement_timeout: "10s",
  lock_timeout: "5s",
  idle_in_transaction_session_timeout: "10s",
};
const SHOW = Object.keys(SETTINGS).map((name) => statement(`test_pg_show_${name}`)`SHOW ${name}`);
const VALUES = statement("test_pg_values")`
    SELECT CAST(9007199254740991 AS bigint) AS big, 7 AS whole, CAST('[1]' AS json) AS list, CAST(NULL AS text) AS nothing,
    CAST(?1 AS text) AS text`;
const SLEEPING = "FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";

describe("the PostgreSQL engine", () => {
  const server = usePostgresql();
  const open = useEngines();
  const connectionsTo = async (url: string): Promise<number> =>
    (
      await server().query(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'node-red-messaging' AND datname = current_database()",
        url,
      )
    ).length;

  let url = "";
  beforeEach(async () => {
    url = await server().newDatabase();
  });
  const share = (schema: string) => sharePostgresql({ url, schema, tls: null });
  engineSuite(
    () => share("messaging"),
    () => share("other"),
  );

  it("says where the data is, without user and password", async () => {
    const engine = open({ url: server().url, schema: "Messages" });
    assert.equal(engine.place, `127.0.0.1:${server().port}${new URL(server().url).pathname} (Messages)`);
    assert.equal(engine.exclusive, false);
  });

  it("sets up each connection for itself", async () => {
    const engine = open({ url: server().url });
    const rows = await engine.run(SHOW.map((each) => call(each)));
    assert.deepEqual(Object.assign({}, ...rows.map(([row]) => row)), SETTINGS);
  });

  it("has whole numbers as numbers and JSON as text", async () => {
    const [rows] = await open({ url: server().url }).run([call(VALUES, "ä😀\n'\"$1")]);
    assert.deepEqual(rows, [
      { big: 9_007_199_254_740_991, whole: 7, list: "[1]", nothing: null, text: "ä😀\n'\"$1" },
    ]);
  });

  it("repeats operations that met in a deadlock", async () => {
    const engine = open({ url });
    await add(engine, "a", "b");
    const crossed = (first: string, second: string) =>
      engine.run([call(TOUCH, first), call(SLEEP, 0.2), call(TOUCH, second)]);
    await Promise.all([crossed("a", "b"), crossed("b", "a"), crossed("a", "b"), crossed("b", "a")]);
    assert.deepEqual((await engine.run([call(SUM)]))[0], [{ sum: 10 }]);
  });

  it("reads with a connection of its own, which holds up no commit", async () => {
    const engine = open({ url, connections: 1, readTimeout: 60_000 });
    await add(engine, "a");
    assert.equal(await connectionsTo(url), 1, "before there are reads");
    let answered = 0;
    const ended = (): void => {
      answered++;
    };
    const reads = Array.from({ length: 20 }, (_unused, at) =>
      engine.read([at === 0 ? call(SLEEP, 60) : call(LIST)]).then(ended, ended),
    );
    await waitFor(
      "the first read",
      async () => (await server().query(`SELECT 1 ${SLEEPING}`, url)).length > 0,
    );
    await add(engine, "b");
    await add(engine, "c");
    assert.equal(answered, 0);
    await server().query(`SELECT pg_cancel_backend(pid) ${SLEEPING}`, url);
    await Promise.all(reads);
    assert.equal((await engine.read([call(LIST)]))[0]?.length, 3);
  });

  it("ends a read that takes too long, and the connection when there are no more", async () => {
    const engine = open({ url, readTimeout: 1_000, readIdle: 1 });
    await add(engine, "a");
    await fails(engine.read([call(SLEEP, 60)]), "STORE_SLOW");
    assert.deepEqual((await engine.read([call(LIST)]))[0], [{ account: "a" }]);
    await waitFor("the connection to end", async () => (await connectionsTo(url)) === 1);
    await assert.rejects(engine.read([call(ADD, "b"), call(LIST)]));
    assert.deepEqual((await engine.read([call(LIST)]))[0], [{ account: "a" }]);
  });

  it("gives up a statement that waits for a row for too long, and nothing of its operation happens", async () => {
    const [engine, other] = [open({ url, lockTimeout: 20 }), open({ url })];
    await add(engine, "a");
    const holding = other.run([call(TOUCH, "a"), call(SLEEP, 60)]).catch(() => {});
    await waitFor("the lock", async () => (await server().query(`SELECT 1 ${SLEEPING}`, url)).length > 0);
    await fails(engine.run([call(ADD, "b"), call(TOUCH, "a")]), "STORE_SLOW");
    assert.deepEqual(await list(engine), ["a"]);
    await server().query(`SELECT pg_cancel_backend(pid) ${SLEEPING}`, url);
    await holding;
  });

  it("leaves no connection when it is closed", async () => {
    const engine = open({ url });
    engine.listen("topic", () => {});
    await list(engine);
    await engine.close();
    await waitFor("the connections to end", async () => (await connectionsTo(url)) === 0);
  });

  it("lets the process end, with and without a close, and says nothing of itself", async () => {
    const script = join(__dirname, "postgresql-process.ts");
    for (const end of ["close", "leave"]) {
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [...process.execArgv, script, server().url, end],
        { timeout: 120_000, env: { ...process.env, PGPASSWORD: "", PGSSLMODE: "verify-ca" } },
      );
      assert.deepEqual([stdout, stderr], ["told\n", ""]);
    }
  });

  it("makes the tables once where several processes open an empty database at the same moment", async () => {
    const engines = Array.from({ length: 6 }, () => open({ url }));
    await Promise.all(engines.map((engine, at) => add(engine, `a${at}`)));
    assert.equal((await list(engines[0]!)).length, 6);
  });

  for (const schema of [`We"ird 'Näme' $1`, "select", "Messaging"]) {
    it(`keeps the tables in the schema ${schema} alone`, async () => {
      await add(open({ url, schema }), "a");
      const rows = await server().query(
        "SELECT DISTINCT schemaname FROM pg_tables WHERE tablename = 'jobs' OR schemaname = 'public'",
        url,
      );
      assert.deepEqual(rows, [{ schemaname: schema }]);
      assert.deepEqual(await list(open({ url, schema })), ["a"]);
    });
  }

  it("gives each request to one of several engines that claim at the same time", async () => {
    const stores = Array.from({ length: 3 }, () => new Store(open({ url }), { keepTexts: true }));
    await Promise.all(stores.map((store, at) => store.instances(`i${at}`).start()));
    const requests = Array.from({ length: 500 }, (_, part) => newRequest({ part }));
    await Promise.all(stores.map((store) => store.jobs.take(newJob(), requests)));
    const claimed: number[] = [];
    let empty = 0;
    const claim = async (store: Store, owner: string): Promise<void> => {
      // What another one is claiming at the moment is left out, so an empty answer is not the end.
      while (claimed.length < 1_500 && empty < 1_000) {
        const found = await store.claims.claim("a1", owner, 7);
        assert.ok(found.length <= 7, `${found.length} at once`);
        empty += found.length === 0 ? 1 : 0;
        claimed.push(...found.map(({ id }) => id));
      }
    };
    await Promise.all(stores.flatMap((store, at) => [1, 2, 3].map(() => claim(store, `i${at}`))));
    assert.deepEqual([claimed.length, new Set(claimed).size], [1_500, 1_500]);
  });
});
