import assert from "node:assert/strict";
import type { Departure, DigestStore, NewItem } from "../../../../lib/store/digest";
import { SEALED } from "../../../../lib/store/schema/sealed-text";
import type { TestClock } from "./store-under-test";

export const MINUTE = 60_000;
export const NODE = "n1";
const DAY = 1_440 * MINUTE;

export const newItem = (given: Partial<NewItem> = {}): NewItem => ({
  key: "pump",
  item: '{"payload":"stops"}',
  message: '{"payload":"stops"}',
  sensitive: false,
  wait: 0,
  every: 10 * MINUTE,
  quiet: 15 * MINUTE,
  most: 3,
  ...given,
});

/** Where the digests of an account are kept, the clock that they go by, and a process that is alive. */
export interface DigestsUnderTest {
  readonly clock: TestClock;
  readonly digests: DigestStore;
  readonly me: string;
  /** Another process that is alive. */
  readonly other: () => Promise<string>;
}

/** What digests hold to, wherever they are kept. */
export function digestStoreContract(use: () => DigestsUnderTest): void {
  const add = (given: Partial<NewItem> = {}) => use().digests.add(NODE, newItem(given));
  const depart = () => use().digests.depart(NODE, use().me, 10);
  /** What leaves now, and has left. */
  const leave = async (): Promise<readonly Departure[]> => {
    const departures = await depart();
    await use().digests.left(NODE, departures);
    return departures;
  };
  const seen = (departures: readonly Departure[]) =>
    departures.map(({ kind, key, count, total }) => [kind, key, count, total]);
  const pass = (ms: number) => use().clock.pass(ms);

  describe("what is gathered", () => {
    it("leaves with the first message at once, then once a period as long as messages come, then says that it is over", async () => {
      const start = use().clock.time;
      assert.equal(await add(), start);
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 1]]);
      // Six a minute, for half an hour.
      const left: unknown[] = [];
      for (let at = 0; at < 180; at++) {
        pass(MINUTE / 6);
        await add();
        left.push(...seen(await leave()).map((each) => [...each, (use().clock.time - start) / MINUTE]));
      }
      assert.deepEqual(left, [
        ["digest", "pump", 60, 61, 10],
        ["digest", "pump", 60, 121, 20],
        ["digest", "pump", 60, 181, 30],
      ]);
      pass(15 * MINUTE - 1);
      assert.deepEqual(await leave(), []);
      pass(1);
      assert.deepEqual(seen(await leave()), [["over", "pump", 0, 181]]);
      assert.equal(await use().digests.nextWake(NODE), null);
      // And a first one again.
      await add();
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 1]]);
    });

    it("waits for a time, where the first one does", async () => {
      const start = use().clock.time;
      assert.equal(await add({ wait: MINUTE }), start + MINUTE);
      pass(MINUTE - 1);
      assert.equal(await add({ wait: MINUTE }), start + MINUTE);
      assert.deepEqual(await leave(), []);
      pass(1);
      assert.deepEqual(seen(await leave()), [["digest", "pump", 2, 2]]);
    });

    it("leaves at whole periods after a pause that is shorter than the quiet time", async () => {
      const start = use().clock.time;
      await add();
      await leave();
      pass(12 * MINUTE);
      assert.equal(await add(), start + 20 * MINUTE);
      assert.deepEqual(await leave(), []);
      pass(8 * MINUTE);
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 2]]);
    });

    it("never leaves twice in a period, however soon it is quiet", async () => {
      const start = use().clock.time;
      await add({ quiet: MINUTE });
      await leave();
      pass(5 * MINUTE);
      assert.equal(await add({ quiet: MINUTE }), start + 10 * MINUTE);
      assert.deepEqual(await leave(), []);
    });

    it("has the first messages, the newest one, and the number of all", async () => {
      const { digests } = use();
      const [one] = [await add(), pass(1), await leave()][2] as readonly Departure[];
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

    it("is sensitive where its messages are", async () => {
      const hidden = { key: "hidden", item: `${SEALED}a`, message: `${SEALED}b`, sensitive: true };
      await add();
      await add(hidden);
      pass(15 * MINUTE);
      const sensitive = async (): Promise<unknown> =>
        (await leave()).map(({ kind, key, sensitive }) => [kind, key, sensitive]).sort();
      assert.deepEqual(await sensitive(), [
        ["digest", "hidden", true],
        ["digest", "pump", false],
      ]);
      pass(15 * MINUTE);
      assert.deepEqual(await sensitive(), [
        ["over", "hidden", true],
        ["over", "pump", false],
      ]);
    });

    it("is apart by key and node", async () => {
      const { digests } = use();
      await add();
      await add({ key: "" });
      await digests.add("n2", newItem());
      assert.deepEqual(seen(await leave()).sort(), [
        ["digest", "", 1, 1],
        ["digest", "pump", 1, 1],
      ]);
      assert.deepEqual(seen(await digests.depart("n2", use().me, 10)), [["digest", "pump", 1, 1]]);
    });

    it("stays on its way until it has left, and what comes meanwhile is in the next one", async () => {
      await add();
      const first = await depart();
      await add();
      await add();
      const again = await depart();
      assert.deepEqual(again, first, "the same, with the same name");
      assert.equal(again[0]?.restored, false);
      await use().digests.left(NODE, first);
      await use().digests.left(NODE, first);
      pass(10 * MINUTE);
      const [next] = await leave();
      assert.deepEqual([next?.count, next?.items.length], [2, 2]);
    });

    it("stays to be sent where it is given back, by any process, as if nobody had taken it", async () => {
      const { digests } = use();
      await add();
      const taken = await depart();
      await digests.giveBack(NODE, taken, false);
      await digests.giveBack(NODE, taken, false);
      const [again] = await digests.depart(NODE, await use().other(), 10);
      assert.deepEqual(
        [again?.id, again?.batch, again?.count, again?.items, again?.restored],
        [taken[0]?.id, taken[0]?.batch, 1, taken[0]?.items, false],
      );
      await digests.left(NODE, again === undefined ? [] : [again]);
      assert.deepEqual(await depart(), []);
    });

    it("stays to be sent, marked, where it is given back and may have left", async () => {
      const { digests } = use();
      await add();
      const taken = await depart();
      await digests.giveBack(NODE, taken, true);
      await digests.giveBack(NODE, taken, false);
      const other = await use().other();
      const [again, ...others] = await digests.depart(NODE, other, 10);
      assert.deepEqual(
        [again?.id, again?.batch, again?.count, again?.items, again?.restored, others],
        [taken[0]?.id, taken[0]?.batch, 1, taken[0]?.items, true, []],
      );
      await digests.left(NODE, again === undefined ? [] : [again]);
      await add();
      pass(10 * MINUTE);
      assert.deepEqual(
        (await digests.depart(NODE, other, 10)).map(({ count, restored }) => [count, restored]),
        [[1, false]],
      );
    });

    it("begins anew where a message comes while it leaves that it is over", async () => {
      await add();
      await leave();
      pass(15 * MINUTE);
      const over = await depart();
      assert.deepEqual(seen(over), [["over", "pump", 0, 1]]);
      assert.equal(await add(), use().clock.time);
      await add();
      await use().digests.left(NODE, over);
      assert.deepEqual(seen(await leave()), [["digest", "pump", 2, 2]]);
    });

    it("begins anew where nobody could say that it is over", async () => {
      await add();
      await leave();
      pass(60 * MINUTE);
      assert.equal(await add(), use().clock.time);
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 1]]);
    });

    it("says that it is over with what was muted, where a message comes before anybody could", async () => {
      await add();
      await leave();
      await use().digests.order(NODE, null, "mute");
      await add();
      await add();
      pass(60 * MINUTE);
      assert.ok((await add()) <= use().clock.time);
      const [over, ...others] = await leave();
      assert.deepEqual(others, []);
      assert.deepEqual(
        [over?.kind, over?.count, over?.total, over?.items.length, over?.restored],
        ["over", 2, 3, 2, false],
      );
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 1]]);
    });

    it("leaves whole after a time in which nobody could send", async () => {
      await add();
      await leave();
      await add();
      pass(60 * MINUTE);
      await add();
      assert.deepEqual(seen(await leave()), [["digest", "pump", 2, 3]]);
    });

    it("leaves at once with flush, is forgotten with drop, and stays until it is over with mute", async () => {
      const { digests, clock } = use();
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
      assert.deepEqual(seen(await leave()), [["over", "pump", 2, 5]]);
      await add();
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 1]], "not muted any more");
    });

    it("leaves with flush also where it is muted, and goes on then", async () => {
      await add();
      await leave();
      await use().digests.order(NODE, null, "mute");
      await add();
      await use().digests.order(NODE, null, "flush");
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 2]]);
      await add();
      pass(10 * MINUTE);
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 3]]);
    });

    it("is not said to be over where all of it was dropped before any left", async () => {
      const { digests } = use();
      await add({ wait: MINUTE });
      await add({ wait: MINUTE });
      await digests.order(NODE, "pump", "drop");
      assert.equal(await digests.nextWake(NODE), null);
      pass(15 * MINUTE);
      assert.deepEqual(await leave(), []);
      // It stays muted where somebody has confirmed.
      await add({ wait: MINUTE });
      await digests.order(NODE, null, "mute");
      await digests.order(NODE, null, "drop");
      await add({ wait: MINUTE });
      pass(MINUTE);
      assert.deepEqual(await leave(), []);
    });

    it("is counted", async () => {
      const { digests, clock } = use();
      assert.deepEqual(await digests.counts(NODE), { keys: 0, gathered: 0, muted: 0, next: null });
      await add({ wait: MINUTE });
      await add({ wait: 2 * MINUTE, key: "door" });
      await add({ wait: 2 * MINUTE, key: "door" });
      const next = clock.time + MINUTE;
      assert.deepEqual(await digests.counts(NODE), { keys: 2, gathered: 3, muted: 0, next });
      assert.equal(await digests.nextWake(NODE), next);
    });

    it("leaves no later than a period after a message, where the clock was set back", async () => {
      const { clock } = use();
      await add();
      await leave();
      pass(-30 * DAY);
      assert.equal(await add(), clock.time + 10 * MINUTE);
      await add({ wait: 20 * MINUTE, key: "door" });
      pass(-30 * DAY);
      assert.equal(await add({ wait: 20 * MINUTE, key: "door" }), clock.time + 20 * MINUTE);
    });

    it("leaves in its time after the clock was set back, also where nothing comes any more", async () => {
      const { clock } = use();
      await add();
      await leave();
      await add();
      pass(-30 * DAY);
      assert.deepEqual(await leave(), []);
      assert.equal(await use().digests.nextWake(NODE), clock.time + 10 * MINUTE);
      pass(10 * MINUTE);
      assert.deepEqual(seen(await leave()), [["digest", "pump", 1, 2]]);
      pass(15 * MINUTE);
      assert.deepEqual(seen(await leave()), [["over", "pump", 0, 2]]);
    });

    it("has room for a new key that comes with messages of others", async () => {
      const { digests } = use();
      await Promise.all(Array.from({ length: 9_998 }, (_, n) => add({ key: `k${n}` })));
      const known = Array.from({ length: 100 }, (_, n) => add({ key: `k${n}` }));
      await Promise.all([...known, add({ key: "one more" }), add({ key: "k5" }), add({ key: "another" })]);
      assert.equal((await digests.counts(NODE)).gathered, 10_101);
      const [, refused] = await Promise.allSettled([add({ key: "k1" }), add({ key: "too many" })]);
      assert.equal(refused?.status, "rejected");
      assert.equal((await digests.counts(NODE)).gathered, 10_102);
    });

    it("is of 10,000 keys at most", async () => {
      const { digests, me } = use();
      await Promise.all(Array.from({ length: 10_000 }, (_, n) => add({ key: `k${n}` })));
      const isFull = { code: "DIGEST_FULL", message: /10,000/ };
      await assert.rejects(add({ key: "one more" }), isFull);
      await add({ key: "k9999" });
      await digests.add("n2", newItem());
      assert.equal((await digests.counts(NODE)).gathered, 10_001);
      await digests.left(NODE, await digests.depart(NODE, me, 1));
      await assert.rejects(add({ key: "one more" }), isFull, "it is not quiet");
      pass(15 * MINUTE);
      await digests.order(NODE, null, "drop");
      await digests.left(NODE, await digests.depart(NODE, me, 1));
      await add({ key: "one more" });
    });

    it("leaves in pages", async () => {
      const { digests, me } = use();
      for (const key of ["a", "b", "c"]) {
        await add({ key });
      }
      const two = await digests.depart(NODE, me, 2);
      assert.equal(two.length, 2);
      await digests.left(NODE, two);
      assert.equal((await digests.depart(NODE, me, 2)).length, 1);
    });
  });
}
