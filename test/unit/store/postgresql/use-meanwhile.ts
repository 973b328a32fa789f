import assert from "node:assert/strict";
import { Client } from "pg";
import { sharePostgresql } from "../../../../lib/store/engine/postgresql/shared-postgresql";
import type { SharedEngine } from "../../../../lib/store/engine/shared-engines";
import { LOCK_AWAITED } from "../../../support/store/postgresql-server";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { waitFor } from "../../../support/wait-for";
import { emptyStore } from "../suite/empty-store";
import { useFixture } from "../suite/store-under-test";

/** A store in PostgreSQL beside a client that writes its tables while an operation runs. */
export function useMeanwhile() {
  const server = usePostgresql();
  let shared: SharedEngine | null = null;
  after(() => shared?.release());
  const fixture = useFixture(async () => {
    shared ??= await sharePostgresql({ url: server().url, schema: "messaging", tls: null });
    const { engine } = shared;
    return { engine, close: () => emptyStore(engine) };
  });
  let client: Client;
  beforeEach(async () => {
    client = new Client({ connectionString: server().url });
    await client.connect();
    await client.query("SET search_path TO messaging");
  });
  afterEach(() => client.end());

  /** Waits until an operation waits for a lock. */
  const locked = async (operation: Promise<unknown>): Promise<void> => {
    const isAwaited = async (): Promise<boolean> => (await client.query(LOCK_AWAITED)).rowCount !== 0;
    const over = operation.then(() => assert.fail("it did not wait"));
    await Promise.race([waitFor("a lock to be awaited", isAwaited), over]);
  };

  /** What an operation gives where another process adopts the same while it asks who lives. @param adopt of the other process */
  const adoptedWhile = async <Given>(
    operate: () => Promise<Given>,
    adopt: () => Promise<unknown>,
  ): Promise<Given> => {
    await client.query(`CREATE FUNCTION pause() RETURNS boolean LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN true; END'`);
    await client.query("ALTER TABLE instances RENAME TO real_instances");
    await client.query(
      "CREATE VIEW instances AS SELECT id, CASE WHEN pause() THEN expired_at END AS expired_at FROM real_instances",
    );
    try {
      await client.query("SELECT pg_advisory_lock(4711)");
      const operation = operate();
      await locked(operation);
      await adopt();
      await client.query("SELECT pg_advisory_unlock(4711)");
      return await operation;
    } finally {
      await client.query("SELECT pg_advisory_unlock_all()");
      await client.query("DROP VIEW instances");
      await client.query("ALTER TABLE real_instances RENAME TO instances");
      await client.query("DROP FUNCTION pause()");
    }
  };

  return { fixture, client: () => client, adoptedWhile };
}
