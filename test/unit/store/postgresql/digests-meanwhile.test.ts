import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { DigestOrder } from "../../../../lib/store/digest";
import { Digests } from "../../../../lib/store/digests";
import { MINUTE, newItem, NODE } from "../suite/digest-store-contract";
import { kill } from "../suite/store-under-test";
import { useMeanwhile } from "./use-meanwhile";

describe("digests in PostgreSQL, while others write", () => {
  const { fixture, client, locked, adoptedWhile } = useMeanwhile();

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
      await client().query("BEGIN");
      await client().query("UPDATE digests SET count = count + 1, total = total + 1");
      const ordered = digests.order(NODE, "pump", order as DigestOrder);
      await locked(ordered);
      await client().query("COMMIT");
      await ordered;
      const { rows } = await client().query("SELECT muted, count, wake_at FROM digests");
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
    const departing = await adoptedWhile(
      () => digests.depart(NODE, me, 10),
      () => client().query("UPDATE digests SET owner = $1, departure = 'adopted'", [other.id]),
    );
    assert.deepEqual(departing, []);
    const { rows } = await client().query("SELECT departure FROM digests");
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
      await client().query("BEGIN");
      await client().query("UPDATE digests SET count = count + 1 WHERE digest_key = 'a'");
      const written = write();
      await locked(written);
      // The next one of those who add. Whoever had it would wait for the first one.
      await client().query("SET LOCAL lock_timeout = '2s'");
      await client().query("UPDATE digests SET count = count + 1 WHERE digest_key = 'c'");
      await client().query("COMMIT");
      await written;
    }
    const { rows } = await client().query("SELECT count, muted, phase FROM digests ORDER BY digest_key");
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
