// Slow: it starts, kills and freezes a server of its own, and waits for answers that never come.
import assert from "node:assert/strict";
import { call } from "../../../../lib/store/engine/query";
import type { Engine } from "../../../../lib/store/engine/engine";
import type { StoreError } from "../../../../lib/store/engine/store-error";
import { useOwnPostgresql } from "../../../support/store/use-postgresql";
import { waitFor } from "../../../support/wait-for";
import { type Pooler, poolerOf } from "./fake-server";
import { ADD, add, END_ME, fails, LIST, list, SLEEP, useEngines } from "../engine-statements";

const OWN = "application_name = 'node-red-messaging' AND datname = current_database()";

describe("a PostgreSQL server that goes away", () => {
  const server = useOwnPostgresql();
  const open = useEngines();
  afterEach(async () => {
    await server().thaw();
  });

  const isAsleep = (url: string, operations = 1) =>
    waitFor("the operations to be under way", async () => {
      const rows = await server().query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'", url);
      return rows.length === operations;
    });
  const again = <Result>(ask: () => Promise<Result>) =>
    waitFor("the server", () =>
      ask().catch((error: StoreError) => {
        assert.match(error.code, /^STORE_(?:UNREACHABLE|SLOW)$/);
        return null;
      }),
    );

  it("leaves it uncertain what happened when it dies, and is used again when it is back", async () => {
    const url = await server().newDatabase();
    const engine = open({ url });
    await add(engine, "a");
    const lost = [
      fails(engine.run([call(ADD, "b"), call(SLEEP, 30)]), "STORE_UNREACHABLE", true),
      fails(engine.run([call(SLEEP, 30)]), "STORE_UNREACHABLE", true),
    ];
    await isAsleep(url, 2);
    await server().kill();
    await Promise.all(lost);
    await fails(add(engine, "c"), "STORE_UNREACHABLE");
    await server().start();
    assert.deepEqual(await again(() => list(engine)), ["a"]);
    await add(engine, "d");
  });

  it("never has a connection used again that was ended", async () => {
    const engine = open({ url: await server().newDatabase(), connections: 1 });
    await add(engine, "a");
    await fails(engine.run([call(ADD, "b"), call(END_ME)]), "STORE_UNREACHABLE", false);
    await fails(engine.run([call(END_ME)]), "STORE_UNREACHABLE", true);
    assert.deepEqual(await list(engine), ["a"]);
  });

  it("is given up when it says nothing more, and used again when it goes on", async () => {
    const url = await server().newDatabase();
    const engine = open({ url, answerTimeout: 2_000, connectTimeout: 2_000 });
    await add(engine, "a");
    await server().freeze();
    await fails(add(engine, "b"), "STORE_SLOW", true);
    // A new connection is tried, and nothing was sent.
    await fails(add(engine, "c"), "STORE_SLOW", false);
    await server().thaw();
    const found = await again(() => list(engine));
    assert.ok(!found.includes("c"));
  });

  describe("behind a pooler", () => {
    const poolers: Pooler[] = [];
    afterEach(() => Promise.all(poolers.splice(0).map((pooler) => pooler.close())));
    const opened = async () => {
      const direct = new URL(await server().newDatabase());
      const pooler = await poolerOf(Number(direct.port));
      poolers.push(pooler);
      const url = new URL(direct.href);
      url.port = new URL(pooler.url).port;
      const engine = open({ url: url.href });
      await add(engine, "a");
      return { engine, url: direct.href, pooler };
    };
    /** The operation has happened all the same. */
    const happened = async (engine: Engine): Promise<void> => {
      assert.deepEqual(await again(() => list(engine)), ["a", "b"]);
    };

    it("leaves it uncertain what happened when a pooler answers for the server", async () => {
      for (const severity of ["FATAL", "ERROR"] as const) {
        for (const calls of [[call(ADD, "b")], [call(ADD, "b"), call(LIST)]]) {
          const { engine, pooler } = await opened();
          pooler.loseAnswer(severity);
          await fails(engine.run(calls), "STORE_UNREACHABLE", true);
          await happened(engine);
        }
      }
    });
  });

  describe("messages between processes", () => {
    /** Tells a topic until it is heard: the other one may not listen yet. */
    async function connected(url: string) {
      const [here, there] = [open({ url }), open({ url })];
      const heard = { here: 0, there: 0 };
      here.listen("topic", () => heard.here++);
      there.listen("topic", () => heard.there++);
      await list(here);
      await waitFor("the other process to hear", async () => {
        await here.run([], ["topic"]);
        return heard.there > 0;
      });
      return { here, there, heard };
    }

    it("reach listeners of both processes, and the own ones once", async () => {
      const { here, heard } = await connected(await server().newDatabase());
      const before = { ...heard };
      await Promise.all(Array.from({ length: 300 }, (_, at) => here.run([call(ADD, `a${at}`)], ["topic"])));
      await waitFor("the message", () => heard.there > before.there);
      assert.equal(heard.here - before.here, 300);
    });

    it("are not sent by an operation that failed", async () => {
      const { here, heard } = await connected(await server().newDatabase());
      const before = heard.here;
      await fails(here.run([call(ADD, "a"), call(ADD, "a")], ["topic"]), "STORE_REFUSED");
      assert.equal(heard.here, before);
    });

    it("may be missed while a connection is gone, so all are told when it is back", async () => {
      const url = await server().newDatabase();
      const { heard } = await connected(url);
      const before = { ...heard };
      await server().query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OWN}`, url);
      await waitFor("both to be told", () => heard.here > before.here && heard.there > before.there);
    });
  });
});
