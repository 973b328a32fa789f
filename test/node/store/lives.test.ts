import assert from "node:assert/strict";
import { Client } from "pg";
import { Account } from "../../../lib/runtime/account/account";
import { LOCK_AWAITED } from "../../support/store/postgresql-server";
import { usePostgresql } from "../../support/store/use-postgresql";
import { waitFor } from "../../support/wait-for";
import { ACCOUNT, accountAt, startFlow, stopFlow } from "../flow";
import { useSimulator } from "../use-simulator";
import { TO } from "./stored-flow";

describe("a Node-RED whose process was called dead", () => {
  const simulator = useSimulator();
  const server = usePostgresql();
  afterEach(stopFlow);

  it("hands a message over that was written in the name of its former life, after it looked what it has lost", async () => {
    const url = await server().newDatabase();
    const { account, credentials } = accountAt(simulator);
    const flow = await startFlow({
      account: { ...account, keepMessages: "postgresql", storeSchema: "messaging", requestsPerSecond: 1000 },
      credentials: { ...credentials, storeUrl: url },
    });
    const of = Account.of(flow.account);
    const first = await of.store();
    // As another account with the same database does: else the next life waits until nothing is being written.
    const giveBack = first?.retain();
    await first?.store.queue.pause(ACCOUNT);
    // Another process adopts each message as soon as it is there.
    await server().query(
      `CREATE FUNCTION adopt() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock(1); UPDATE messaging.jobs SET result_owner = 'other'; RETURN NULL; END $$;
      CREATE TRIGGER adopted AFTER INSERT ON messaging.recipients EXECUTE FUNCTION adopt();
      INSERT INTO messaging.instances SELECT 'other', 'elsewhere', 9, started_at, beat_at + 3600000, NULL
        FROM messaging.instances LIMIT 1`,
      url,
    );
    const blocker = new Client({ connectionString: url });
    await blocker.connect();
    try {
      await blocker.query("SELECT pg_advisory_lock(1)");
      flow.send({ to: TO, payload: "hello" });
      await waitFor("the message to be on its way to the disk", async () => {
        const rows = await server().query(LOCK_AWAITED, url);
        return rows.length > 0;
      });
      await server().query(`UPDATE messaging.instances SET dead_at = beat_at WHERE id <> 'other'`, url);
      const next = await waitFor("its next life", async () => {
        const store = await of.store();
        return store !== first && store;
      });
      await waitFor("its nodes", async () => {
        const rows = await server().query(
          `SELECT 1 FROM messaging.instance_nodes WHERE instance = '${next.instances.id}'`,
          url,
        );
        return rows.length > 0;
      });
    } finally {
      await blocker.end();
      await giveBack?.();
    }
    await flow.completed.until(1);
    assert.equal(
      flow.log("warn").filter((line) => line.includes("another Node-RED goes on with: 1")).length,
      1,
    );
  });
});
