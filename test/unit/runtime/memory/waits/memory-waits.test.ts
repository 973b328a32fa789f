import assert from "node:assert/strict";
import { MemoryDepartures } from "../../../../../lib/runtime/memory/memory-departures";
import { MemoryWaits } from "../../../../../lib/runtime/memory/waits/memory-waits";
import { MessagingError } from "../../../../../lib/shared/messaging-error";
import { TestClock } from "../../../store/suite/store-under-test";
import { type WaitsUnderTest, waitsContract, waitSteps } from "../../../store/suite/waits-suite";

const ANNA = "41790000001";
const BEAT = "41790000002";
const CLEO = "41790000003";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("the waits of an account in memory", () => {
  let clock: TestClock;
  let departures: MemoryDepartures;
  let waits: MemoryWaits;
  const keys = new Set<string>();

  const setUp = (most?: number): void => {
    clock = new TestClock();
    departures = new MemoryDepartures(clock.now);
    waits = new MemoryWaits(departures, clock, most);
    waits.use();
    keys.clear();
  };
  beforeEach(() => setUp());
  const under = (): WaitsUnderTest => ({
    clock,
    me: "me",
    store: { waits },
    send: async (transferId) => departures.note(`c-${transferId}`),
    note: async (events) => {
      for (const event of events.filter(({ key }) => !keys.has(key) && keys.add(key))) {
        waits.received(event);
      }
    },
    listen: (listener) => waits.listen(listener),
  });
  waitsContract(under);
  const { begin, note, writes, reported, texts } = waitSteps(under);
  const leave = async (nodes: readonly string[] = ["n2"]): Promise<void> => {
    for (const { wait, reported: ends } of await waits.reported("me", 1_000, nodes)) {
      await waits.left(
        wait.id,
        ends.map(({ place }) => place),
      );
    }
  };

  describe("that an event may be about", () => {
    it("are those of its request, by the transfer id where both have one", async () => {
      await begin({ transferId: "t1", clientMessageId: "c" });
      await note(
        { transferId: "other" },
        { transferId: "other", clientMessageId: "other" },
        { transferId: null, clientMessageId: "other" },
        { transferId: null, clientMessageId: null },
      );
      assert.deepEqual(await reported(), []);
      await note({ transferId: null, clientMessageId: "c" });
      assert.equal((await reported()).length, 1);
    });

    for (const isBefore of [true, false]) {
      it(`are those of a request without an answer, reported ${isBefore ? "before" : "after"} they began`, async () => {
        const event = { transferId: "made by the service", clientMessageId: "c-t1" };
        await (isBefore ? note(event) : begin({ transferId: null, clientMessageId: "c-t1" }));
        await (isBefore ? begin({ transferId: null, clientMessageId: "c-t1" }) : note(event));
        assert.equal((await reported()).length, 1);
      });
    }

    it("are those of the newest of several requests with one client message id, or of the one with the number", async () => {
      const daily = { clientMessageId: "daily", recipients: [ANNA, CLEO] };
      const event = { transferId: null, clientMessageId: "daily" };
      await begin({ ...daily, transferId: "t1", node: "n3" });
      await begin({ ...daily, transferId: "t2" });
      await begin({ ...daily, transferId: "t3", recipients: [BEAT] });
      await note({ ...event, number: ANNA });
      assert.deepEqual(await reported(), [[ANNA, "happened", "delivered"]]);
      assert.deepEqual(await waits.reported("me", 9, ["n3"]), []);
      await note({ ...event, number: BEAT });
      assert.equal((await reported()).length, 2);
    });

    it("are not those of an earlier request with its client message id", async () => {
      departures.note("daily");
      const event = { transferId: null, clientMessageId: "daily" };
      await note(event);
      clock.pass(MINUTE);
      departures.note("daily");
      await begin({ clientMessageId: "daily", transferId: null });
      assert.deepEqual(await reported(), []);
      await note(event);
      assert.equal((await reported()).length, 1);
    });

    it("are of the only recipient whatever number it has, and of several by the number", async () => {
      await begin();
      await begin({ transferId: "t2", recipients: [ANNA, BEAT] });
      await note({ number: null }, { transferId: "t2", number: null }, { transferId: "t2", number: CLEO });
      assert.deepEqual(await reported(), [[ANNA, "happened", "delivered"]]);
    });

    it("have a number once that is there twice, or with a plus", async () => {
      const { recipients } = await begin({ recipients: [`+${ANNA}`, ANNA] });
      assert.equal(recipients, 1);
    });

    it("end by the furthest of what was reported before, and by the latest of one rank", async () => {
      await note({ status: "failed" }, { status: "delivered" }, { status: "sent" });
      await note(
        { transferId: "t2", status: "expired", at: clock.time },
        { transferId: "t2", status: "deleted", at: clock.time - 1 },
      );
      await begin();
      await begin({ transferId: "t2" });
      assert.deepEqual(await reported(), [
        [ANNA, "happened", "delivered"],
        [ANNA, "failed", "expired"],
      ]);
    });

    it("are found for ten minutes after it, and no longer", async () => {
      await note({ status: "delivered" });
      clock.pass(10 * MINUTE - 1);
      await begin();
      assert.equal((await reported()).length, 1);
      clock.pass(1);
      await begin();
      assert.equal((await reported()).length, 1);
    });
  });

  describe("for a reply", () => {
    const ask = { kind: "reply", channel: "sms" } as const;

    it("get nothing from before where nobody knows when the message left, and all where it left long ago", async () => {
      await note(writes("hello"));
      clock.pass(1);
      await begin({ ...ask, clientMessageId: null });
      assert.deepEqual(await texts(), []);
      clock.pass(20 * MINUTE);
      await note(writes("yes", BEAT));
      const { id } = await begin({ ...ask, recipients: [BEAT], clientMessageId: "of long ago" });
      assert.deepEqual(await texts(), [["yes", id]]);
    });

    it("ask by each channel on their own, and by any channel on all of them", async () => {
      for (const [first, second, replaced] of [
        ["sms", "whatsapp", false],
        ["sms", "sms", true],
        ["sms", "any", true],
        ["any", "sms", true],
        ["any", "any", true],
      ] as const) {
        setUp();
        const older = await begin({ ...ask, channel: first, recipients: [ANNA, BEAT] });
        await begin({ ...ask, channel: second, transferId: "t2" });
        await note(
          writes("yes", ANNA, first === "any" ? "rcs" : first),
          writes("yes", BEAT, first === "any" ? "rcs" : first),
        );
        const [toOlder] = (await texts()).filter(([, wait]) => wait === older.id);
        clock.pass(5 * MINUTE);
        for (const reply of await waits.replies("me", 9, ["n2"])) {
          await waits.passed(reply, false);
        }
        await waits.expire("me", 9, ["n2"]);
        const ended = (await waits.silent("me", 9, ["n2"])).flatMap(({ waits: each }) => each);
        const silent = ended.find(({ wait }) => wait.id === older.id);
        assert.deepEqual([toOlder !== undefined, silent?.replaced], [true, replaced], `${first} ${second}`);
      }
    });
  });

  describe("of many recipients", () => {
    const tooMany = (error: Error): boolean =>
      error instanceof MessagingError && error.code === "TOO_MANY_WAITS" && /\b3\b/.test(error.message);

    it("are as many as there may be, and more only when some of them end", async () => {
      setUp(3);
      await begin({ recipients: [ANNA, BEAT] });
      await assert.rejects(() => begin({ transferId: "t2", recipients: [ANNA, BEAT] }), tooMany);
      await begin({ transferId: "t2", recipients: [CLEO] });
      await assert.rejects(() => begin({ transferId: "t3" }), tooMany);
      await note({ status: "delivered" });
      await leave();
      await begin({ transferId: "t3" });
      assert.equal(waits.load.open, 3);
    });

    it("count what is kept for a node that is gone, as long as there is room", async () => {
      setUp(3);
      await begin({ node: "n3" });
      await begin({ node: "n3", transferId: "t2" });
      await begin({ node: "n3", transferId: "t3", until: clock.time + HOUR });
      await note({ status: "delivered" });
      clock.pass(5 * MINUTE);
      await waits.reported("me", 9, ["n2"]);
      assert.equal(waits.load.open, 3);
      await begin({ transferId: "t4" });
      // What was reported, and what is over, makes place; what goes on stays.
      assert.equal(waits.load.open, 2);
      assert.deepEqual(await waits.reported("me", 9, ["n3"]), []);
    });

    it("hear nothing any more when their node has been gone for too long", async () => {
      await begin({ node: "n3", kind: "reply", recipients: [ANNA, BEAT] });
      await begin({ node: "n3", transferId: "t2", recipients: [ANNA, BEAT], until: clock.time + 2 * HOUR });
      await note({ transferId: "t2", status: "delivered" });
      await waits.reported("me", 9, ["n2"]);
      clock.pass(HOUR + 5 * MINUTE);
      await begin();
      assert.equal(waits.load.open, 2, "one whose time is not over, and the new one");
      await note(writes("hello"), { transferId: "t2", status: "read" });
      assert.deepEqual(await waits.replies("me", 9, ["n3"]), []);
      assert.deepEqual(await waits.reported("me", 9, ["n3"]), []);
      await note({ transferId: "t2", status: "delivered", number: BEAT });
      assert.equal((await waits.reported("me", 9, ["n3"])).length, 1);
    });

    it("forget what a node that has been gone for an hour did not get", async () => {
      await begin({ node: "n3", recipients: [ANNA, BEAT], until: clock.time + 2 * HOUR });
      // The time of the event does not count.
      await note({ status: "delivered", at: clock.time - 2 * HOUR });
      await begin({ node: "n3", transferId: "t2" });
      await waits.reported("me", 9, ["n2"]);
      clock.pass(HOUR - 1);
      await begin({ transferId: "t3" });
      assert.equal(waits.load.open, 4);
      clock.pass(MINUTE);
      await begin({ transferId: "t4" });
      assert.equal(waits.load.open, 4);
      clock.pass(5 * MINUTE);
      await begin({ transferId: "t5" });
      assert.deepEqual(
        [waits.load.open, await waits.open()],
        [
          4,
          new Map([
            ["n3", 1],
            ["n2", 3],
          ]),
        ],
      );
    });

    it("leave nothing behind when they end", async () => {
      const numbers = Array.from({ length: 500 }, (_, n) => `4179${String(n).padStart(7, "0")}`);
      for (const [at, number] of numbers.entries()) {
        const kind = (["delivered", "read", "reply"] as const)[at % 3]!;
        const group = at % 7 === 0 ? `g${at % 5}` : null;
        await begin({ kind, group, transferId: `t${at}`, clientMessageId: `c${at}`, recipients: [number] });
      }
      await begin({ recipients: numbers, transferId: "list" });
      for (const [at, number] of numbers.entries()) {
        if (at % 4 === 0) {
          await note(
            { number, transferId: `t${at}` },
            { status: "failed", number, transferId: "list" },
            writes("yes", number),
          );
        }
      }
      clock.pass(11 * MINUTE);
      for (let round = 0; round < 20; round++) {
        for (const reply of await waits.replies("me", 1_000, ["n2"])) {
          await waits.answered(reply, "happened");
        }
        await leave();
        await waits.expire("me", 1_000, ["n2"]);
        for (const { waits: silent } of await waits.silent("me", 1_000, ["n2"])) {
          for (const { wait, places } of silent) {
            await waits.left(wait.id, places);
          }
        }
      }
      assert.deepEqual(waits.load, { open: 0, entries: 0 });
    });
  });
});
