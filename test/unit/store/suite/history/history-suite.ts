import assert from "node:assert/strict";
import { localVerdict } from "../../../../../lib/gateway/codec/verdict";
import { answerOf } from "../../../../../lib/gateway/queue/stored-content";
import type { HistoryCursor } from "../../../../../lib/store/history/history-entry";
import type { HistoryFilter } from "../../../../../lib/store/history/history-filter";
import { type ReceivedCursor, receivedCursor } from "../../../../../lib/store/history/received";
import {
  answered,
  contentOf,
  countRows,
  NO_ROWS,
  newEvent,
  type OpenStore,
  takeJob,
  useFixture,
  pick,
} from "../store-under-test";

const DAY = 86_400_000;

/** Search, queue control and deletion of a store, whatever its engine. */
export function historySuite(open: OpenStore): void {
  const { clock, engine, keeping, me, store } = useFixture(open);

  describe("history", () => {
    it("finds messages by each filter, and by several together", async () => {
      const start = clock.now();
      const [a = 0] = await takeJob(store, [{ recipients: ["1001"], clientMessageId: "c1" }]);
      clock.pass(1_000);
      const [b = 0] = await takeJob(store, [{ recipients: ["1001"], clientMessageId: "c2" }], { node: "n2" });
      await store.claims.claim("a1", me, 2);
      await store.settlements.settle(me, [answered(a, { transferId: "t1", outcome: "rejected" })]);
      clock.pass(1_000);
      const [c = 0] = await takeJob(store, [{ recipients: ["1002"] }], { account: "a2" });

      const find = async (filter: HistoryFilter) =>
        pick(await store.history.search(filter, null, 10), "request");
      assert.deepEqual(await find({}), [c, b, a], "the newest first");
      assert.deepEqual(await find({ number: "1001" }), [b, a]);
      assert.deepEqual(await find({ clientMessageId: "c2" }), [b]);
      assert.deepEqual(await find({ transferId: "t1" }), [a]);
      assert.deepEqual(await find({ node: "n2" }), [b]);
      assert.deepEqual(await find({ outcome: "rejected" }), [a]);
      assert.deepEqual(await find({ account: "a2" }), [c]);
      assert.deepEqual(await find({ from: start + 1_000 }), [c, b]);
      assert.deepEqual(await find({ from: start, to: start + 1_000 }), [a]);
      assert.deepEqual(await find({ number: "1001", node: "n1", account: "a1", to: start + 1 }), [a]);
      assert.deepEqual(await find({ number: "1001", outcome: "sent" }), []);
    });

    it("goes on where a page ended, without losing or repeating an entry", async () => {
      for (let job = 0; job < 3; job++) {
        await takeJob(store, [{ recipients: ["1", "2", "3"] }, { recipients: ["4", "5"] }]);
        if (job === 1) clock.pass(5);
      }
      const seen: string[] = [];
      let after: HistoryCursor | null = null;
      for (;;) {
        const page: Awaited<ReturnType<typeof store.history.search>> = await store.history.search(
          {},
          after,
          4,
        );
        seen.push(...page.map(({ job, part, place }) => `${job} ${part} ${place}`));
        if (page.length < 4) break;
        after = page.at(-1)!.cursor;
      }
      assert.equal(seen.length, 15);
      assert.equal(new Set(seen).size, 15);
      assert.deepEqual(
        seen.slice(0, 5).map((entry) => entry.slice(entry.indexOf(" ") + 1)),
        ["1 0", "1 1", "0 0", "0 1", "0 2"],
      );
    });

    it("finds messages that people wrote, of one account, by number and time, page by page", async () => {
      const start = clock.now();
      const write = async (number: string | null, account = "a1"): Promise<void> => {
        await store.deliveries.note(account, [
          newEvent({ kind: "inbound", number, status: null, body: "{}" }),
        ]);
        clock.pass(1_000);
      };
      for (const number of ["1001", "1002", null, "1001"]) await write(number);
      await write("1003", "a1 simulated");
      await write("1001", "a2");
      await store.deliveries.note("a1", [newEvent({ number: "1001" })]);
      const find = async (filter: object, after: ReceivedCursor | null = null, max = 10) =>
        store.history.received({ account: "a1", ...filter }, after, max);
      const numbers = async (filter: object) => pick(await find(filter), "number");
      assert.deepEqual(await numbers({}), ["1003", "1001", null, "1002", "1001"], "the newest first");
      assert.deepEqual(await numbers({ number: "1001" }), ["1001", "1001"]);
      assert.deepEqual(await numbers({ numberEnd: "02" }), ["1002"]);
      assert.deepEqual(await numbers({ from: start + 1_000, to: start + 3_000 }), [null, "1002"]);
      const [newest, second] = await find({}, null, 2);
      assert.deepEqual([newest?.simulated, second?.simulated, second?.body], [true, false, "{}"]);
      assert.ok(second);
      const rest = await find({}, receivedCursor(second));
      assert.deepEqual(pick(rest, "number"), [null, "1002", "1001"]);
    });

    it("counts all requests of a message", async () => {
      const [first = 0] = await takeJob(store, [{ recipients: ["1", "2"] }, { recipients: ["3"] }, {}]);
      const job = (await store.history.find("a1", first, 0))?.job ?? 0;
      const filter = { account: "a1", job };
      const { counts, complete } = await store.history.tally(filter, 10);
      assert.deepEqual([[...counts], complete], [[[null, 4]], true]);
      assert.equal((await store.history.tally(filter, 4)).complete, false);
    });

    it("finds people by a part of their name, in capital or small letters, page by page", async () => {
      const people = ["7 Carla Muster", "17 Jörg Müller", " ÉLODIE 100% O_K!", "9 Иван", undefined];
      for (const [at, person] of people.entries()) {
        await takeJob(store, [{ recipients: [`100${at}`], ...(person !== undefined && { person }) }]);
      }
      for (const [name, expected] of [
        ["carla", ["1000"]],
        ["la mu", ["1000"]],
        ["MÜLLER", ["1001"]],
        ["JÖRG", ["1001"]],
        ["élodie", ["1002"]],
        ["0% o_k!", ["1002"]],
        ["Иван", ["1003"]],
        ["M_", []],
        ["r%r", []],
        ["7", []],
        ["é", ["1002"]],
        ["U", ["1000"]],
      ] as const) {
        const filter = { account: "a1", name };
        const found = await store.history.search(filter, null, 10);
        assert.deepEqual(pick(found, "number"), [...expected], name);
        assert.deepEqual((await store.history.tally(filter, 10)).complete, true);
        const first = await store.history.look(filter, null, 2, 2);
        assert.deepEqual([first.looked, first.next === null], [2, false], name);
      }
      const node = await store.history.search({ account: "a1", name: "r", number: "1001" }, null, 10);
      assert.deepEqual(pick(node, "number"), ["1001"]);
    });

    it("looks at no more than it may, and says where it stopped", async () => {
      for (let job = 0; job < 9; job++) {
        await takeJob(store, [{ recipients: [`1${job}`] }]);
      }
      const first = await store.history.look({ account: "a1", numberEnd: "10" }, null, 10, 4);
      assert.deepEqual([first.entries.length, first.looked, first.next === null], [0, 4, false]);
      const { entries, next } = await store.history.look(
        { account: "a1", numberEnd: "10" },
        first.next,
        10,
        50,
      );
      assert.deepEqual([pick(entries, "number"), next], [["10"], null]);
    });

    it("counts and finds what a rule kept back apart from what failed", async () => {
      const ids = await takeJob(
        store,
        [1, 2, 3, 4, 5].map((at) => ({ recipients: [`100${at}`] })),
      );
      await store.claims.claim("a1", me, 5);
      const held = (fault: "ALREADY_SENT" | "OUTSIDE_HOURS" | "KEY_REUSED") => {
        const verdict = localVerdict(fault);
        return { outcome: verdict.outcome, answer: answerOf("sms-form", verdict, false) };
      };
      const ends = [
        held("ALREADY_SENT"),
        held("OUTSIDE_HOURS"),
        held("KEY_REUSED"),
        { outcome: "retry-later" } as const,
        {},
      ];
      await store.settlements.settle(
        me,
        ids.map((id, at) => answered(id, ends[at])),
      );
      const { counts } = await store.history.tally({ account: "a1" }, 100);
      assert.deepEqual([...counts].sort(), [
        ["rejected", 1],
        ["retry-later", 1],
        ["sent", 1],
        ["skipped", 2],
      ]);
      const numbersOf = async (filter: HistoryFilter): Promise<readonly unknown[]> =>
        pick(await store.history.search({ account: "a1", ...filter }, null, 10), "number");
      assert.deepEqual(await numbersOf({ outcome: "skipped" }), ["1002", "1001"]);
      assert.deepEqual(await numbersOf({ outcome: "skipped", number: "1002" }), ["1002"]);
      assert.deepEqual(await numbersOf({ outcome: "rejected" }), ["1003"]);
      assert.deepEqual(await numbersOf({ outcome: "retry-later" }), ["1004"]);
    });
  });

  describe("the queue", () => {
    it("cancels what has not left, and nothing else", async () => {
      const cancelled = { outcome: "retry-later", answer: "{}" } as const;
      await takeJob(store, [{}, {}, {}], { resultOwner: me });
      const [left, back] = await store.claims.claim("a1", me, 2);
      await store.claims.release("a1", me, [{ id: back!.id, delay: 9_000, priority: 0, attempts: 1 }]);
      assert.equal(await store.queue.cancelJob(left!.job, cancelled), 2);
      await takeJob(store, [{}], { resultOwner: me });
      await takeJob(store, [{}], { account: "a2" });
      assert.equal(await store.queue.cancelAccount("a1", cancelled), 1);
      const settled = await store.recovery.settled("a1", me, ["n1"], 0, 10);
      assert.deepEqual(pick(settled, "outcome"), ["retry-later", "retry-later", "retry-later"]);
      assert.ok(!settled.some(({ id }) => id === left!.id));
      assert.deepEqual(await store.settlements.settle(me, [answered(left!.id)]), [
        { id: left!.id, outcome: "sent", resultOwner: me },
      ]);
      assert.equal((await store.backlog.counts("a2")).ready, 1);
    });
  });

  describe("deletion", () => {
    it("by age takes what is done, in slices, and leaves what is not", async () => {
      const done = await takeJob(
        store,
        Array.from({ length: 5 }, () => ({ recipients: ["1", "2"] })),
      );
      await store.claims.claim("a1", me, 10);
      await store.settlements.settle(
        me,
        done.map((id) => answered(id, { transferId: `t${id}`, emitted: true })),
      );
      await store.deliveries.note("a1", [newEvent({ transferId: `t${done[0]}`, number: "1" })]);
      await takeJob(store);
      const [half] = await takeJob(store, [{}, {}]);
      await store.claims.claim("a1", me, 2);
      await store.settlements.settle(me, [answered(half!, { emitted: true })]);
      clock.pass(31 * DAY);
      await takeJob(store);
      assert.equal(await store.retention.deleteOld("a2", 30 * DAY, 4), false);
      let slices = 1;
      while (await store.retention.deleteOld("a1", 30 * DAY, 4)) slices++;
      assert.ok(slices >= 3, "not in slices");
      assert.deepEqual(await countRows(engine), {
        ...NO_ROWS,
        messages: 4,
        outbox: 3,
        jobs: 1,
      });
    });

    it("of a removed account takes results that nobody has seen, and leaves what was not sent", async () => {
      const [seen = 0, unseen = 0] = [
        ...(await takeJob(store, [{}], { account: "gone" })),
        ...(await takeJob(store, [{}], { account: "gone" })),
      ];
      await takeJob(store, [{}, {}], { account: "gone" });
      const [half = 0] = (await store.claims.claim("gone", me, 3)).slice(2).map(({ id }) => id);
      await store.deliveries.note("gone", [newEvent({ kind: "inbound", status: null })]);
      clock.pass(5 * DAY);
      await store.settlements.settle(me, [
        answered(seen, { emitted: true }),
        answered(unseen),
        answered(half),
      ]);
      clock.pass(26 * DAY);
      while (await store.retention.deleteOld("gone", 30 * DAY)) {}
      assert.deepEqual(await countRows(engine), {
        ...NO_ROWS,
        messages: 3,
        outbox: 3,
        jobs: 1,
      });
      assert.equal(await store.retention.deleteRemoved("gone", 30 * DAY), false);
      assert.deepEqual((await countRows(engine)).messages, 3, "a result of 26 days went");
      clock.pass(5 * DAY);
      while (await store.retention.deleteRemoved("gone", 30 * DAY, 1)) {}
      assert.deepEqual(await countRows(engine), {
        ...NO_ROWS,
        messages: 2,
        outbox: 2,
        jobs: 1,
      });
      assert.equal((await store.backlog.counts("gone")).ready, 1);
    });

    it("keeps a number until its list ends, so that no part number is given again", async () => {
      await takeJob(store, [{ recipients: ["1001", "1002", "1003"] }]);
      const divide = async (recipient: string) => {
        const [whole] = await store.claims.claim("a1", me, 1);
        const groups = [
          { recipients: [recipient], settled: { outcome: "denied", answer: "{}" } as const, until: null },
        ];
        return store.divisions.divide(whole!, "a1", me, groups, true);
      };
      assert.deepEqual(await divide("1002"), [1]);
      const [denied] = await store.history.search({ number: "1002" }, null, 1);
      await store.settlements.emitted([denied!.request]);
      const deleted = await store.retention.deleteNumber("1002");
      assert.deepEqual(await divide("1003"), [2]);
      assert.equal(deleted.open, 1);
    });

    it("of a number leaves nothing of it but what is on its way", async () => {
      const [alone = 0, list = 0] = await takeJob(store, [
        { recipients: ["1001"], clientMessageId: "of-1001" },
        { recipients: ["1001", "1002"] },
      ]);
      const [{ job } = { job: 0 }] = await store.claims.claim("a1", me, 2);
      await keeping.settlements.settle(me, [
        answered(alone, { transferId: "t1", emitted: true }),
        answered(list, { transferId: "t2", emitted: true }),
      ]);
      await store.deliveries.note("a1", [
        newEvent({ transferId: "t1", number: "1001" }),
        newEvent({ kind: "inbound", number: "1001", status: null }),
        newEvent({ transferId: "t2", number: "1002" }),
      ]);
      await takeJob(store, [{ recipients: ["1001"] }]);
      assert.deepEqual(await store.retention.deleteNumber("1001"), {
        recipients: 2,
        events: 2,
        open: 1,
        gathered: 0,
      });
      const left = await store.history.search({}, null, 10);
      assert.deepEqual(pick(left, "number", "state"), [
        ["1001", "queued"],
        ["1002", "emitted"],
      ]);
      assert.equal(await contentOf(engine, alone), null);
      assert.equal((await store.recovery.job(job))?.snapshot ?? null, null);
    });
  });
}
