import { onBothEngines } from "../../../unit/store/suite/on-both-engines";
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Emission, NewItem } from "../../../../nodes/message-digest/store/digest";
import { Digests } from "../../../../nodes/message-digest/store/digests";
import { rowOf } from "../../../../lib/store/engine/query";
import { Store } from "../../../../lib/store/store";
import { statement } from "../../../../lib/store/schema/statement";
import { MINUTE, newItem, NODE } from "../digest-store-contract";
import { kill, type OpenStore, useFixture } from "../../../unit/store/suite/store-under-test";

const ROWS = statement("test_digests_rows")`
  SELECT (SELECT count(*) FROM digests) AS digests, (SELECT count(*) FROM digest_items) AS items`;
const DAY = 86_400_000;

/** Digests, whatever the engine. */
function digestsSuite(open: OpenStore): void {
  const { clock, engine, me, store } = useFixture(open);
  const rows = async () => {
    const row = await rowOf(engine, ROWS);
    return [Number(row?.digests), Number(row?.items)];
  };
  let digests: Digests;
  beforeEach(() => {
    digests = store.of(Digests, "a1");
  });

  const another = async (): Promise<string> => {
    const instances = store.instances(randomUUID());
    await instances.start();
    return instances.id;
  };
  const add = (given: Partial<NewItem> = {}) => digests.add(NODE, newItem(given));
  const depart = () => digests.claimEmissions(NODE, me, 10);
  /** What leaves now, and has left. */
  const leave = async (): Promise<readonly Emission[]> => {
    const emissions = await depart();
    await digests.emitted(emissions);
    return emissions;
  };
  const seen = (emissions: readonly Emission[]) =>
    emissions.map(({ kind, key, count, total }) => [kind, key, count, total]);
  const pass = (ms: number) => clock.pass(ms);

  describe("what is gathered", () => {
    it("leaves with the first message at once, then once a period as long as messages come, then says that it is over", async () => {
      const start = clock.time;
      assert.equal(await add(), start);
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 1]]);
      // Six a minute, for half an hour.
      const left: unknown[] = [];
      for (let at = 0; at < 180; at++) {
        pass(MINUTE / 6);
        await add();
        left.push(...seen(await leave()).map((each) => [...each, (clock.time - start) / MINUTE]));
      }
      assert.deepEqual(left, [
        ["digest", "pump", 60, 61, 10],
        ["digest", "pump", 60, 121, 20],
        ["digest", "pump", 60, 181, 30],
      ]);
      pass(15 * MINUTE - 1);
      assert.deepEqual(await leave(), []);
      pass(1);
      assert.deepEqual(seen(await leave()), [["ended", "pump", 0, 181]]);
      assert.equal(await digests.nextWake(NODE), null);
      // And a first one again.
      await add();
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 1]]);
    });

    it("waits for a time, where the first one does", async () => {
      const start = clock.time;
      assert.equal(await add({ wait: MINUTE }), start + MINUTE);
      pass(MINUTE - 1);
      assert.equal(await add({ wait: MINUTE }), start + MINUTE);
      assert.deepEqual(await leave(), []);
      pass(1);
      assert.deepEqual(seen(await leave()), [["digest", "pump", 2, 2]]);
    });

    it("never leaves twice in a period, however soon it is quiet", async () => {
      const start = clock.time;
      await add({ quiet: MINUTE });
      await leave();
      pass(5 * MINUTE);
      assert.equal(await add({ quiet: MINUTE }), start + 10 * MINUTE);
      assert.deepEqual(await leave(), []);
    });

    it("has the first messages, the newest one, and the number of all", async () => {
      const [one] = [await add(), pass(1), await leave()][2] as readonly Emission[];
      assert.deepEqual(one?.items, ['{"payload":"stops"}']);
      await Promise.all(
        [1, 2, 3, 4, 5].map((n) =>
          digests.add(NODE, newItem({ item: `{"payload":${n}}`, message: `{"n":${n}}` })),
        ),
      );
      pass(10 * MINUTE);
      const [five] = await leave();
      assert.deepEqual(five?.items, ['{"payload":1}', '{"payload":2}', '{"payload":3}']);
      assert.deepEqual([five?.count, five?.lastItem, five?.message], [5, '{"payload":5}', '{"n":5}']);
    });

    it("is apart by key and node", async () => {
      await add();
      await add({ key: "" });
      await digests.add("n2", newItem());
      assert.deepEqual(seen(await leave()).sort(), [
        ["digest", "", 1, 1],
        ["digest", "pump", 1, 1],
      ]);
      assert.deepEqual(seen(await digests.claimEmissions("n2", me, 10)), [["digest", "pump", 1, 1]]);
    });

    it("stays on its way until it has left, and what comes meanwhile is in the next one", async () => {
      await add();
      const first = await depart();
      await add();
      await add();
      const again = await depart();
      assert.deepEqual(again, first, "the same, with the same name");
      assert.equal(again[0]?.restored, false);
      await digests.emitted(first);
      await digests.emitted(first);
      pass(10 * MINUTE);
      const [next] = await leave();
      assert.deepEqual([next?.count, next?.items.length], [2, 2]);
    });

    it("stays to be sent, marked, where it is given back and may have left", async () => {
      await add();
      const taken = await depart();
      await digests.release(taken, true);
      await digests.release(taken, false);
      const other = await another();
      const [again, ...others] = await digests.claimEmissions(NODE, other, 10);
      assert.deepEqual(
        [again?.id, again?.batch, again?.count, again?.items, again?.restored, others],
        [taken[0]?.id, taken[0]?.batch, 1, taken[0]?.items, true, []],
      );
      await digests.emitted(again === undefined ? [] : [again]);
      await add();
      pass(10 * MINUTE);
      assert.deepEqual(
        (await digests.claimEmissions(NODE, other, 10)).map(({ count, restored }) => [count, restored]),
        [[1, false]],
      );
    });

    it("leaves at once with flush, is forgotten with drop, and stays until it is over with mute", async () => {
      await add();
      await leave();
      await add();
      await digests.order(NODE, "other", "flush");
      assert.deepEqual(await leave(), []);
      await digests.order(NODE, "pump", "flush");
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 2]]);
      assert.equal(await add(), clock.time + 10 * MINUTE, "the period begins with it");

      await digests.order(NODE, null, "drop");
      pass(10 * MINUTE);
      assert.deepEqual(await leave(), []);
      await add({ item: '{"payload":"new"}' });
      pass(10 * MINUTE);
      const [dropped] = await leave();
      assert.deepEqual([dropped?.count, dropped?.total, dropped?.items], [1, 3, ['{"payload":"new"}']]);

      await digests.order(NODE, "pump", "mute");
      await add();
      await add();
      pass(14 * MINUTE);
      assert.deepEqual(await leave(), []);
      assert.deepEqual(await digests.counts(NODE), { keys: 1, gathered: 2, muted: 1, next: null });
      pass(MINUTE);
      assert.deepEqual(seen(await leave()), [["ended", "pump", 2, 5]]);
      await add();
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 1]], "not muted any more");
    });

    it("leaves in its time after the clock was set back, also where nothing comes any more", async () => {
      await add();
      await leave();
      await add();
      pass(-30 * DAY);
      assert.deepEqual(await leave(), []);
      assert.equal(await digests.nextWake(NODE), clock.time + 10 * MINUTE);
      pass(10 * MINUTE);
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 2]]);
      pass(15 * MINUTE);
      assert.deepEqual(seen(await leave()), [["ended", "pump", 0, 2]]);
    });

    it("is of 10,000 keys at most", async () => {
      await Promise.all(Array.from({ length: 10_000 }, (_, n) => add({ key: `k${n}` })));
      const isFull = { code: "DIGEST_FULL", message: /10,000/ };
      await assert.rejects(add({ key: "one more" }), isFull);
      await add({ key: "k9999" });
      await digests.add("n2", newItem());
      assert.equal((await digests.counts(NODE)).gathered, 10_001);
      await digests.emitted(await digests.claimEmissions(NODE, me, 1));
      await assert.rejects(add({ key: "one more" }), isFull, "it is not quiet");
      pass(15 * MINUTE);
      await digests.order(NODE, null, "drop");
      await digests.emitted(await digests.claimEmissions(NODE, me, 1));
      await add({ key: "one more" });
    });
  });

  it("leave no rows when all is over", async () => {
    await digests.add(NODE, newItem());
    await digests.emitted(await digests.claimEmissions(NODE, me, 10));
    await digests.add(NODE, newItem());
    await digests.add(NODE, newItem());
    await digests.order(NODE, null, "drop");
    clock.pass(DAY);
    await digests.emitted(await digests.claimEmissions(NODE, me, 10));
    assert.deepEqual(await rows(), [0, 0]);
  });

  it("are of their account", async () => {
    await digests.add(NODE, newItem());
    assert.deepEqual(await store.of(Digests, "a2").claimEmissions(NODE, me, 10), []);
    assert.equal((await digests.claimEmissions(NODE, me, 10)).length, 1);
  });

  it("leave once more, marked, when the process that sent them has ended; and of no other process that lives", async () => {
    const dead = store.instances(randomUUID());
    await dead.start();
    await digests.add(NODE, newItem());
    const [lost] = await digests.claimEmissions(NODE, dead.id, 10);
    await digests.add(NODE, newItem());
    assert.deepEqual(await digests.claimEmissions(NODE, me, 10), [], "another one sends it");
    await kill(engine, dead.id);
    const next = store.instances(randomUUID());
    await next.start();
    const depart = () => digests.claimEmissions(NODE, next.id, 10);
    const [found] = await depart();
    assert.deepEqual(
      [found?.restored, found?.count, found?.items, found?.emission === lost?.emission],
      [true, 1, lost?.items, false],
    );
    // What the dead one says afterwards counts no more.
    await digests.emitted(lost === undefined ? [] : [lost]);
    assert.equal((await depart()).length, 1);
    await digests.emitted(found === undefined ? [] : [found]);
    clock.pass(10 * 60_000);
    const [meanwhile] = await depart();
    assert.deepEqual([meanwhile?.restored, meanwhile?.count], [false, 1], "what came meanwhile");
  });

  it("lose and repeat nothing where many add at once", async () => {
    const others = [store.of(Digests, "a1"), store.of(Digests, "a1")];
    await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        (others[n % 2] as Digests).add(NODE, newItem({ key: `k${n % 7}`, wait: 1 })),
      ),
    );
    clock.pass(1);
    const emissions = await digests.claimEmissions(NODE, me, 10);
    assert.equal(emissions.length, 7);
    assert.equal(
      emissions.reduce((sum, { count }) => sum + count, 0),
      300,
    );
    assert.ok(emissions.every(({ items }) => items.length === 3));
  });

  it("that name a number are deleted with it, whoever has it, and no others", async () => {
    const NUMBER = "41791234567";
    const other = store.of(Digests, "a2");
    const plain = '{"payload":"stops"}';
    const named = '{"payload":"at 12:40 call +41 (0)79 123-45.67 at once"}';
    await digests.add(NODE, newItem({ key: "+41791234567" }));
    await other.add(NODE, newItem({ key: "an item", item: named, wait: 1 }));
    await other.add(NODE, newItem({ key: "an item", wait: 1 }));
    await digests.add(
      NODE,
      newItem({ key: "the message", message: '{"count-recipients":[{"phone":"0041 79 123 45 67"}]}' }),
    );
    const others = ["4179123456", "4179123456,7", "417912345678", "541791234567"].map(
      (text) => `{"payload":"${text}"}`,
    );
    for (const [n, item] of [plain, ...others].entries()) {
      await digests.add(NODE, newItem({ key: `none ${n}`, item, wait: 1 }));
    }
    // What is leaving names it only in what has come before.
    await digests.add(NODE, newItem({ key: "leaving", item: named }));
    assert.equal((await digests.claimEmissions(NODE, me, 10)).length, 3);
    await digests.add(NODE, newItem({ key: "leaving" }));
    const { gathered } = await store.retention.deleteNumber(NUMBER);
    assert.equal(gathered, 6);
    assert.deepEqual(await rows(), [5, 5]);
    assert.deepEqual(await digests.claimEmissions(NODE, me, 10), []);
    assert.equal((await store.retention.deleteNumber(NUMBER)).gathered, 0);
    clock.pass(1);
    const left = await digests.claimEmissions(NODE, me, 10);
    assert.deepEqual(left.map(({ key }) => key).sort(), ["none 0", "none 1", "none 2", "none 3", "none 4"]);
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

onBothEngines("digests", digestsSuite);
