// Slow: a process is found dead by the heartbeats of another one in PostgreSQL.
import assert from "node:assert/strict";
import { type AccountStore, openStore } from "../../../../lib/runtime/store/open-store";
import { newJob, newRequest } from "../../store/suite/store-under-test";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { waitFor } from "../../../support/wait-for";
import { useShortTimers } from "../short-timers";

const DAY = 24 * 60 * 60 * 1000;

describe("the life of a process in a store that others share", () => {
  // Heartbeats, but no timeouts of the database.
  useShortTimers(["setInterval"]);
  const server = usePostgresql();
  const opened: AccountStore[] = [];
  afterEach(() => Promise.all(opened.splice(0).map(({ release }) => release())));

  async function open(account: string, url: string): Promise<AccountStore> {
    const database = { url, schema: "messaging", tls: null };
    const store = await openStore(account, { database, keepFor: DAY, keepTexts: false, snapshotLimit: 0 });
    opened.push(store);
    return store;
  }

  it("is over also for a node that begins to use it after the others have called the process dead", async () => {
    const url = await server().newDatabase();
    const store = await open("a1", url);
    let isOver = false;
    store.watch({ over: () => (isOver = true) });
    await server().query(
      `UPDATE messaging.instances SET expired_at = heartbeat_at WHERE id = '${store.instances.id}'`,
      url,
    );
    await waitFor("the next heartbeat", () => isOver);
    let isLateOver = false;
    store.watch({ over: () => (isLateOver = true) });
    assert.equal(isLateOver, false, "told before the caller has what it asked for");
    await waitFor("the late one to be told", () => isLateOver);
    const next = await open("a1", url);
    assert.notEqual(next.instances.id, store.instances.id);
  });

  it("goes on with what an ended process has left where the store failed the first time", async () => {
    const url = await server().newDatabase();
    const { store, instances } = await open("a1", url);
    const ask = (text: string) => server().query(text, url);
    // It was killed between the two commits that complete a message.
    await ask(
      `INSERT INTO messaging.jobs (id, account, node, result_owner, committed) VALUES (1, 'a1', 'n1', '${instances.id}', 0)`,
    );
    await ask(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''not now''; END';
      CREATE TRIGGER fails BEFORE UPDATE ON messaging.outbox FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    await store.jobs.add(newJob({ id: 1, resultOwner: instances.id }), [newRequest()]);
    await ask(
      `UPDATE messaging.jobs SET committed = 1, result_owner = 'gone';
      INSERT INTO messaging.instances (SELECT (jsonb_populate_record(i, '{"id": "gone", "heartbeat_at": 1}')).* FROM messaging.instances i)`,
    );
    await waitFor("the ended process to be found", async () => {
      const rows = await ask(
        "SELECT 1 FROM messaging.instances WHERE id = 'gone' AND expired_at IS NOT NULL",
      );
      return rows.length > 0;
    });
    assert.equal((await store.backlog.counts("a1")).ready, 0);
    await ask("DROP TRIGGER fails ON messaging.outbox");
    await waitFor("its message to be queued", async () => (await store.backlog.counts("a1")).ready === 1);
  });
});
