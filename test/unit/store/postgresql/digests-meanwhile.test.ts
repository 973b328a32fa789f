import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import type { DigestOrder } from "../../../../lib/store/digest";
import { Digests } from "../../../../lib/store/digests";
import { sharePostgresql } from "../../../../lib/store/engine/postgresql/shared-postgresql";
import type { SharedEngine } from "../../../../lib/store/engine/shared-engines";
import { LOCK_AWAITED } from "../../../support/store/postgresql-server";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { waitFor } from "../../../support/wait-for";
import { MINUTE, newItem, NODE } from "../suite/digest-store-contract";
import { emptyStore } from "../suite/empty-store";
import { kill, useFixture } from "../suite/store-under-test";

describe("digests in PostgreSQL, while others write", () => {
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

  const WANTED: Readonly<Record<DigestOrder, readonly [muted: number, count: number, isDue: boolean]>> = {
    mute: [1, 3, false],
    drop: [0, 0, false],
    flush: [0, 3, true],
  };
  for (const [order, wanted] of Object.entries(WANTED)) {
    it(`an order waits for a key to which somebody adds: ${order}`, async () => {
      const { me, store, clock } = fixture;
      const digests = store.digests("a1");
      await digests.add(NODE, newItem());
      await digests.left(NODE, await digests.depart(NODE, me, 10));
      await digests.add(NODE, newItem());
      await digests.add(NODE, newItem());
      await client.query("BEGIN");
      await client.query("UPDATE digests SET count = count + 1, total = total + 1");
      const ordered = digests.order(NODE, "pump", order as DigestOrder);
      await locked(ordered);
      await client.query("COMMIT");
      await ordered;
      const { rows } = await client.query("SELECT muted, count, wake_at FROM digests");
      const [{ muted, count, wake_at }] = rows;
      assert.deepEqual([muted, Number(count), Number(wake_at) <= clock.time], wanted);
    });
  }

  it("what another living process adopts at the same moment is not adopted again", async () => {
    const { me, store, engine } = fixture;
    const digests = store.digests("a1");
    const other = store.instances(randomUUID());
    await other.start();
    const dead = store.instances(randomUUID());
    await dead.start();
    await digests.add(NODE, newItem());
    await digests.depart(NODE, dead.id, 10);
    await kill(engine, dead.id);
    // Whoever asks who lives waits for the lock.
    await client.query(`CREATE FUNCTION pause() RETURNS boolean LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN true; END'`);
    await client.query("ALTER TABLE instances RENAME TO real_instances");
    await client.query(
      "CREATE VIEW instances AS SELECT id, CASE WHEN pause() THEN dead_at END AS dead_at FROM real_instances",
    );
    try {
      await client.query("SELECT pg_advisory_lock(4711)");
      const departing = digests.depart(NODE, me, 10);
      await locked(departing);
      await client.query("UPDATE digests SET owner = $1, departure = 'adopted'", [other.id]);
      await client.query("SELECT pg_advisory_unlock(4711)");
      assert.deepEqual(await departing, []);
    } finally {
      await client.query("SELECT pg_advisory_unlock_all()");
      await client.query("DROP VIEW instances");
      await client.query("ALTER TABLE real_instances RENAME TO instances");
      await client.query("DROP FUNCTION pause()");
    }
    const { rows } = await client.query("SELECT departure FROM digests");
    assert.deepEqual(rows, [{ departure: "adopted" }]);
  });

  it("a process whose clock is behind brings no digest nearer; one whose clock was set back does", async () => {
    const { me, store, engine, clock } = fixture;
    const digests = store.digests("a1");
    await digests.add(NODE, newItem());
    await digests.left(NODE, await digests.depart(NODE, me, 10));
    const next = await digests.add(NODE, newItem());
    const behind = new Digests(engine, { ...clock, now: () => clock.time - 5 * MINUTE }, "a1");
    assert.deepEqual(await behind.depart(NODE, me, 10), []);
    assert.equal(await digests.nextWake(NODE), next);
    clock.pass(-5 * MINUTE);
    assert.deepEqual(await digests.depart(NODE, me, 10), []);
    assert.equal(await digests.nextWake(NODE), next - 5 * MINUTE);
  });

  it("what has left and what is ordered take keys in the order of those who add: none waits for another in a circle", async () => {
    const { me, store } = fixture;
    const digests = store.digests("a1");
    for (const key of ["c", "b", "a"]) {
      await digests.add(NODE, newItem({ key }));
    }
    const departures = await digests.depart(NODE, me, 10);
    for (const write of [
      () => digests.order(NODE, null, "mute"),
      () => digests.left(NODE, departures),
    ] as const) {
      await client.query("BEGIN");
      await client.query("UPDATE digests SET count = count + 1 WHERE digest_key = 'a'");
      const written = write();
      await locked(written);
      // The next one of those who add. Whoever had it would wait for the first one.
      await client.query("SET LOCAL lock_timeout = '2s'");
      await client.query("UPDATE digests SET count = count + 1 WHERE digest_key = 'c'");
      await client.query("COMMIT");
      await written;
    }
    const { rows } = await client.query("SELECT count, muted, phase FROM digests ORDER BY digest_key");
    assert.deepEqual(
      rows.map(({ count, muted, phase }) => [Number(count), muted, phase]),
      [
        [2, 1, null],
        [0, 1, null],
        [2, 1, null],
      ],
    );
  });
});
