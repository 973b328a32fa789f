// Slow: nearly every test makes a database of its own on the server.
import assert from "node:assert/strict";
import { call } from "../../../../lib/store/engine/query";
import { sharePostgresql } from "../../../../lib/store/engine/postgresql/shared-postgresql";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { waitFor } from "../../../support/wait-for";
import { ADD, add, fails, LIST, list, once, SLEEP, SUM, TOUCH, useEngines } from "../engine-statements";
import { engineSuite } from "../suite/engine-suite";

const SAFE = { fsync: "on", synchronous_commit: "on", client_encoding: "UTF8" };
const TIMEOUTS = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
const show = (names: readonly string[]) => names.map((name) => once(`SHOW ${name}`));
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

  it("sets up each connection to commit durably and to wait for a limited time", async () => {
    const engine = open({ url: server().url });
    const rows = await engine.run([...show(Object.keys(SAFE)), ...show(TIMEOUTS)]);
    const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout, ...settings } =
      Object.assign({}, ...rows.map(([row]) => row));
    assert.deepEqual(settings, SAFE);
    for (const limit of [statement_timeout, lock_timeout, idle_in_transaction_session_timeout]) {
      assert.notEqual(limit, "0");
    }
  });

  it("repeats operations that met in a deadlock", async () => {
    const name = new URL(url).pathname.slice(1);
    await server().query(`ALTER DATABASE ${name} SET deadlock_timeout = '20ms'`);
    const engine = open({ url });
    await add(engine, "a", "b");
    const crossed = (first: string, second: string) =>
      engine.run([call(TOUCH, first), call(SLEEP, 0.1), call(TOUCH, second)]);
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
});
