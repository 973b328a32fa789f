import assert from "node:assert/strict";
import { Client } from "pg";
import { type AccountStore, openStore } from "../../../../lib/runtime/store/open-store";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { waitFor } from "../../../support/wait-for";

const DAY = 24 * 60 * 60 * 1000;
const IGNORED = { died: () => {}, over: () => {}, beat: () => {} };

describe("the life of a process in a store that others share", () => {
  const server = usePostgresql();
  const opened: AccountStore[] = [];
  afterEach(() => Promise.all(opened.splice(0).map(({ release }) => release())));

  async function open(account: string, url: string): Promise<AccountStore> {
    const database = { url, schema: "messaging", tls: null };
    const store = await openStore(account, { database, keepFor: DAY, keepTexts: false, snapshotLimit: 0 });
    opened.push(store);
    return store;
  }

  it("goes on while what others have left takes long", async () => {
    const url = await server().newDatabase();
    const { instances } = await open("a1", url);
    const beats = async () => {
      const text = `SELECT CAST(beat_at AS text) AS at FROM messaging.instances WHERE id = '${instances.id}'`;
      return (await server().query(text, url))[0]?.at;
    };
    const blocker = new Client({ connectionString: url });
    await blocker.connect();
    try {
      // Whoever looks for events that belong to a message waits.
      await blocker.query("SELECT pg_advisory_lock(1)");
      await server().query(
        `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
        CREATE TRIGGER waits BEFORE UPDATE ON messaging.recipients EXECUTE FUNCTION wait()`,
        url,
      );
      await waitFor("a look at what there is", async () => {
        const rows = await server().query("SELECT 1 FROM pg_locks WHERE NOT granted", url);
        return rows.length > 0;
      });
      const before = await beats();
      await waitFor("the next heartbeat", async () => (await beats()) !== before);
    } finally {
      await blocker.end();
    }
  }).timeout(40_000);

  it("is over also for a node that begins to use it after the others have called the process dead", async () => {
    const url = await server().newDatabase();
    const store = await open("a1", url);
    let isOver = false;
    store.watch({ ...IGNORED, over: () => (isOver = true) });
    await server().query(
      `UPDATE messaging.instances SET dead_at = beat_at WHERE id = '${store.instances.id}'`,
      url,
    );
    await waitFor("the next heartbeat", () => isOver);
    let isLateOver = false;
    store.watch({ ...IGNORED, over: () => (isLateOver = true) });
    assert.equal(isLateOver, false, "told before the caller has what it asked for");
    await waitFor("the late one to be told", () => isLateOver);
    const next = await open("a1", url);
    assert.notEqual(next.instances.id, store.instances.id);
  }).timeout(20_000);
});
