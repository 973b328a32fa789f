import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { DigestStore } from "../../../../lib/store/digest";
import { Digests } from "../../../../lib/store/digests";
import { rowOf } from "../../../../lib/store/engine/query";
import { SEALED } from "../../../../lib/store/schema/sealed-text";
import { Store } from "../../../../lib/store/store";
import { statement } from "../../../../lib/store/schema/statement";
import { digestStoreContract, newItem, NODE } from "./digest-store-contract";
import { kill, type OpenStore, useFixture } from "./store-under-test";

const ROWS = statement("test_digests_rows")`
  SELECT (SELECT count(*) FROM digests) AS digests, (SELECT count(*) FROM digest_items) AS items`;
const DAY = 86_400_000;

/** Digests, whatever the engine. */
export function digestsSuite(open: OpenStore): void {
  const { clock, engine, me, store } = useFixture(open);
  const rows = async () => {
    const row = await rowOf(engine, ROWS);
    return [Number(row?.digests), Number(row?.items)];
  };
  let digests: DigestStore;
  beforeEach(() => {
    digests = store.digests("a1");
  });

  const other = async (): Promise<string> => {
    const instances = store.instances(randomUUID());
    await instances.start();
    return instances.id;
  };
  digestStoreContract(() => ({ clock, digests, me, other }));

  it("leave no rows when all is over", async () => {
    await digests.add(NODE, newItem());
    await digests.left(NODE, await digests.depart(NODE, me, 10));
    await digests.add(NODE, newItem());
    await digests.add(NODE, newItem());
    await digests.order(NODE, null, "drop");
    clock.pass(DAY);
    await digests.left(NODE, await digests.depart(NODE, me, 10));
    assert.deepEqual(await rows(), [0, 0]);
  });

  it("leave no rows of what was dropped", async () => {
    await digests.add(NODE, newItem());
    const departures = await digests.depart(NODE, me, 10);
    for (const key of ["pump", null, "pump"]) {
      await digests.add(NODE, newItem());
      await digests.order(NODE, key, "drop");
    }
    assert.deepEqual(await rows(), [1, 1], "that of the first message, which is leaving");
    assert.deepEqual((await digests.depart(NODE, me, 10))[0]?.items.length, 1);
    await digests.left(NODE, departures);
    await digests.add(NODE, newItem());
    await digests.order(NODE, null, "drop");
    assert.deepEqual(await rows(), [1, 0]);
  });

  it("are of their account", async () => {
    await digests.add(NODE, newItem());
    assert.deepEqual(await store.digests("a2").depart(NODE, me, 10), []);
    assert.equal((await digests.depart(NODE, me, 10)).length, 1);
  });

  it("leave once more, marked, when the process that sent them has ended; and of no other process that lives", async () => {
    const dead = store.instances(randomUUID());
    await dead.start();
    await digests.add(NODE, newItem());
    const [lost] = await digests.depart(NODE, dead.id, 10);
    await digests.add(NODE, newItem());
    assert.deepEqual(await digests.depart(NODE, me, 10), [], "another one sends it");
    await kill(engine, dead.id);
    const next = store.instances(randomUUID());
    await next.start();
    const depart = () => digests.depart(NODE, next.id, 10);
    const [found] = await depart();
    assert.deepEqual(
      [found?.restored, found?.count, found?.items, found?.departure === lost?.departure],
      [true, 1, lost?.items, false],
    );
    // What the dead one says afterwards counts no more.
    await digests.left(NODE, lost === undefined ? [] : [lost]);
    assert.equal((await depart()).length, 1);
    await digests.left(NODE, found === undefined ? [] : [found]);
    clock.pass(10 * 60_000);
    const [meanwhile] = await depart();
    assert.deepEqual([meanwhile?.restored, meanwhile?.count], [false, 1], "what came meanwhile");
  });

  it("leave without what is encrypted, where that is asked for", async () => {
    const hidden = { item: `${SEALED}a`, message: `${SEALED}b`, sensitive: true };
    for (const key of ["a", "b"]) {
      await digests.add(NODE, newItem({ key, ...hidden }));
      // These are leaving already.
      await digests.depart(NODE, me, 10);
    }
    await digests.add(NODE, newItem({ key: "c", ...hidden }));
    await digests.add(NODE, newItem());
    const departures = await digests.depart(NODE, me, 1, true);
    assert.deepEqual(
      departures.map(({ key, items }) => [key, items.length]),
      [["pump", 1]],
    );
    await digests.left(NODE, departures);
    assert.deepEqual(await digests.depart(NODE, me, 10, true), []);
    const keys = (await digests.depart(NODE, me, 10)).map(({ key }) => key);
    assert.deepEqual(keys, ["a", "b", "c"]);
  });

  it("are written in several operations where their messages are large", async () => {
    const message = `"${"x".repeat(5 * 1024 * 1024)}"`;
    let operations = 0;
    const run: typeof engine.run = (calls) => {
      operations++;
      return engine.run(calls);
    };
    const counting = new Digests(Object.assign(Object.create(engine), { run }), clock, "a1");
    await Promise.all(["a", "b"].map((key) => counting.add(NODE, newItem({ key, message }))));
    assert.equal(operations, 2);
  });

  it("lose and repeat nothing where many add at once", async () => {
    const others = [store.digests("a1"), store.digests("a1")];
    await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        (others[n % 2] as DigestStore).add(NODE, newItem({ key: `k${n % 7}`, wait: 1 })),
      ),
    );
    clock.pass(1);
    const departures = await digests.depart(NODE, me, 10);
    assert.equal(departures.length, 7);
    assert.equal(
      departures.reduce((sum, { count }) => sum + count, 0),
      300,
    );
    assert.ok(departures.every(({ items }) => items.length === 3));
  });

  it("that name a number are deleted with it, whoever has it, and no others", async () => {
    const NUMBER = "41791234567";
    const other = store.digests("a2");
    const plain = '{"payload":"stops"}';
    const named = '{"payload":"at 12:40 call +41 (0)79 123-45.67 at once"}';
    await digests.add(NODE, newItem({ key: "+41791234567" }));
    await other.add(NODE, newItem({ key: "an item", item: named, wait: 1 }));
    await other.add(NODE, newItem({ key: "an item", wait: 1 }));
    await digests.add(
      NODE,
      newItem({ key: "the message", message: '{"people":[{"phone":"0041 79 123 45 67"}]}' }),
    );
    const others = ["4179123456", "4179123456,7", "417912345678", "541791234567"].map(
      (text) => `{"payload":"${text}"}`,
    );
    for (const [n, item] of [plain, ...others].entries()) {
      await digests.add(NODE, newItem({ key: `none ${n}`, item, wait: 1 }));
    }
    // What is leaving names it only in what has come before.
    await digests.add(NODE, newItem({ key: "leaving", item: named }));
    assert.equal((await digests.depart(NODE, me, 10)).length, 3);
    await digests.add(NODE, newItem({ key: "leaving" }));
    const { gathered } = await store.retention.deleteNumber(NUMBER);
    assert.equal(gathered, 6);
    assert.deepEqual(await rows(), [5, 5]);
    assert.deepEqual(await digests.depart(NODE, me, 10), []);
    assert.equal((await store.retention.deleteNumber(NUMBER)).gathered, 0);
    clock.pass(1);
    const left = await digests.depart(NODE, me, 10);
    assert.deepEqual(left.map(({ key }) => key).sort(), ["none 0", "none 1", "none 2", "none 3", "none 4"]);
  });

  it("are not deleted with a short number that may be any other, unless it is their key", async () => {
    await digests.add(NODE, newItem({ key: "bar", item: '{"payload":1234}' }));
    await digests.add(NODE, newItem({ key: "1234" }));
    assert.equal((await store.retention.deleteNumber("1234")).gathered, 1);
    assert.deepEqual(await rows(), [1, 1]);
  });

  it("of nodes that are gone are deleted in the end", async () => {
    await digests.add(NODE, newItem());
    await digests.add(NODE, newItem({ key: "door" }));
    clock.pass(20 * DAY);
    await digests.add(NODE, newItem({ key: "door" }));
    clock.pass(11 * DAY);
    await store.retention.deleteRemoved("a9", DAY);
    assert.deepEqual(await rows(), [1, 2]);
  });

  it("that have waited while Node-RED did not run are not deleted before their nodes could send them", async () => {
    await digests.add(NODE, newItem());
    clock.pass(31 * DAY);
    const { retention } = new Store(engine, { keepTexts: true, clock });
    await retention.deleteOld("a1", DAY);
    assert.deepEqual(await rows(), [1, 1]);
    clock.pass(DAY / 24);
    await retention.deleteOld("a1", DAY);
    assert.deepEqual(await rows(), [0, 0]);
  });
}
