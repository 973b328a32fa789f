import assert from "node:assert/strict";
import { rowsOf } from "../../../../lib/store/engine/query";
import { statement } from "../../../../lib/store/schema/statement";
import { answered, countRows, newEvent, type OpenStore, takeJob, useFixture, pick } from "./store-under-test";

const DONE_KEYS = statement("test_done_keys")`
    SELECT event_key FROM duplicates WHERE memory = 'done' ORDER BY event_key`;

/** Events and duplicates of a store, whatever its engine. */
export function deliveriesSuite(open: OpenStore): void {
  const { clock, engine, me, store } = useFixture(open);

  /** A request with an answer. */
  async function sent(
    given: { outcome?: "sent" | "unknown"; recipients?: string[]; clientMessageId?: string } = {},
  ) {
    const { outcome = "sent", ...request } = given;
    const [id = 0] = await takeJob(store, [request]);
    await store.claims.claim("a1", me, 1);
    await store.settlements.settle(me, [
      answered(id, { outcome, transferId: outcome === "sent" ? `t${id}` : null }),
    ]);
    return { id, transferId: `t${id}` };
  }

  const statuses = async (request: number) =>
    pick(await store.deliveries.ofRequest(request, -1, 100), "status");

  describe("deliveries", () => {
    it("move only forward, in whatever order and number the events come", async () => {
      const { deliveries } = store;
      const { id, transferId } = await sent();
      const note = (status: string) => deliveries.note("a1", [newEvent({ transferId, status })]);
      const seen: (string | null)[] = [];
      for (const status of [
        "",
        "accepted",
        "Undelivered",
        "accepted",
        "failed",
        "delivered",
        "failed",
        "read",
      ]) {
        if (status !== "") await note(status);
        seen.push(...(await statuses(id)));
      }
      await note("delivered");
      const ranks = ["accepted", "undelivered", "undelivered", "failed", "delivered", "delivered", "read"];
      assert.deepEqual([...seen, ...(await statuses(id))], [null, ...ranks, "read"]);
    });

    for (const together of [true, false]) {
      it(`takes the later of two statuses that are as far, ${together ? "together" : "one by one"}`, async () => {
        const { id, transferId } = await sent();
        const all = (["expired", "failed"] as const).map((status, at) =>
          newEvent({ transferId, status, at: 7 - at }),
        );
        for (const each of together ? [all] : all.map((one) => [one])) {
          await store.deliveries.note("a1", each);
        }
        const [delivery] = await store.deliveries.ofRequest(id, -1, 1);
        assert.deepEqual([delivery?.status, delivery?.at], ["expired", 7]);
      });
    }

    it("keep an event once", async () => {
      const { transferId } = await sent();
      const event = newEvent({ transferId });
      const first = await store.deliveries.note("a1", [event]);
      const second = await store.deliveries.note("a1", [event]);
      assert.deepEqual([first.fresh, second.fresh], [[event.key], []]);
      assert.equal((await countRows(engine)).events, 1);
    });

    it("of a list move for the number of the event alone, of a single recipient whatever number it has", async () => {
      const list = await sent({ recipients: ["1001", "1002", "1003"] });
      const single = await sent();
      await store.deliveries.note("a1", [
        newEvent({ transferId: list.transferId, number: "1002" }),
        newEvent({ transferId: list.transferId, number: "9999", status: "failed" }),
        newEvent({ transferId: single.transferId, number: null }),
      ]);
      assert.deepEqual(await statuses(list.id), [null, "delivered", null]);
      assert.deepEqual(await statuses(single.id), ["delivered"]);
    });

    it("wait for an event's request when it comes before the answer", async () => {
      const [id = 0] = await takeJob(store);
      await store.deliveries.note("a1", [newEvent({ transferId: "early" })]);
      await store.claims.claim("a1", me, 1);
      assert.deepEqual(await statuses(id), [null]);
      await store.settlements.settle(me, [answered(id, { transferId: "early" })]);
      assert.deepEqual(await statuses(id), ["delivered"]);
      assert.deepEqual(pick(await store.history.recipientEvents(id, 0, 10), "status"), ["delivered"]);
    });

    it("move before the answer where the event has the client's id", async () => {
      const [id = 0] = await takeJob(store, [{ clientMessageId: "order-7" }]);
      await store.claims.claim("a1", me, 1);
      await store.deliveries.note("a1", [newEvent({ transferId: "t9", clientMessageId: "order-7" })]);
      assert.deepEqual(await statuses(id), ["delivered"]);
    });

    it("are not moved by an event of another account, or of an id that has not left", async () => {
      const { id, transferId } = await sent();
      await store.deliveries.note("a2", [newEvent({ transferId })]);
      assert.deepEqual(await statuses(id), [null]);
      const [waiting = 0] = await takeJob(store, [{ clientMessageId: "order-8" }]);
      await store.deliveries.note("a1", [newEvent({ clientMessageId: "order-8" })]);
      assert.deepEqual(await statuses(waiting), [null]);
    });

    it("go to the transfer, not to another message with the same client's id", async () => {
      const first = await sent({ clientMessageId: "same" });
      const second = await sent({ clientMessageId: "same" });
      await store.deliveries.note("a1", [
        newEvent({ clientMessageId: "same", transferId: first.transferId }),
      ]);
      assert.deepEqual([await statuses(first.id), await statuses(second.id)], [["delivered"], [null]]);
    });
  });

  describe("events settle unknown", () => {
    for (const status of ["accepted", "delivered", "rejected", "a new word"]) {
      it(`by a report of ${status}`, async () => {
        const { id } = await sent({ outcome: "unknown", clientMessageId: "order-7" });
        const { settled } = await store.deliveries.note("a1", [
          newEvent({ clientMessageId: "order-7", status }),
        ]);
        assert.deepEqual(
          settled.map((each) => each.id),
          [id],
        );
        const [entry] = await store.history.search({}, null, 1);
        assert.deepEqual([entry?.outcome, entry?.settledBy, entry?.delivery], ["sent", "event", status]);
        assert.deepEqual(
          (await store.deliveries.note("a1", [newEvent({ clientMessageId: "order-7" })])).settled,
          [],
        );
      });
    }

    for (const [by, event, transferId] of [
      ["id", { clientMessageId: "order-7" }, null],
      ["transfer", { transferId: "t5" }, "t5"],
    ] as const) {
      it(`that comes after them, by the ${by} they name`, async () => {
        const [id = 0] = await takeJob(store, [{ clientMessageId: "order-7" }]);
        await store.claims.claim("a1", me, 1);
        await store.deliveries.note("a1", [newEvent(event)]);
        const late = answered(id, { outcome: "unknown", transferId });
        assert.deepEqual(await store.settlements.settle(me, [late]), [
          { id, outcome: "sent", resultOwner: "i1" },
        ]);
      });
    }

    it("never by an inbound message", async () => {
      await sent({ outcome: "unknown", clientMessageId: "order-7" });
      const inbound = newEvent({ kind: "inbound", clientMessageId: "order-7", status: null });
      assert.deepEqual((await store.deliveries.note("a1", [inbound])).settled, []);
      const [entry] = await store.history.search({}, null, 1);
      assert.equal(entry?.outcome, "unknown");
    });

    it("and leave every other outcome as it is", async () => {
      const [id = 0] = await takeJob(store, [{ clientMessageId: "order-7" }]);
      await store.claims.claim("a1", me, 1);
      await store.settlements.settle(me, [answered(id, { outcome: "rejected" })]);
      await store.deliveries.note("a1", [newEvent({ clientMessageId: "order-7" })]);
      const [entry] = await store.history.search({}, null, 1);
      assert.equal(entry?.outcome, "rejected");
    });
  });

  describe("duplicates", () => {
    const LIMITS = {
      done: { age: 1_000, most: 3 },
      cut: { age: 1_000, most: 3 },
      seen: { age: 1_000, most: 3 },
      claimed: { age: 1_000, most: 3 },
    };

    it("let one of many who come together be the first", async () => {
      const duplicates = store.duplicates("w1", LIMITS);
      const known = await Promise.all(Array.from({ length: 20 }, () => duplicates.meet(["k"])));
      assert.equal(known.flat().filter(({ seen }) => !seen).length, 1);
      assert.deepEqual(pick(await duplicates.meet(["k", "l"]), "seen"), [true, false]);
      assert.deepEqual(pick(await store.duplicates("w2", LIMITS).meet(["k"]), "seen"), [false]);
    });

    it("say of events that come in whether they are done and were seen", async () => {
      const duplicates = store.duplicates("w1", LIMITS);
      await duplicates.record("done", ["a"]);
      assert.deepEqual(await duplicates.meet(["a", "b", "b"]), [
        { done: true, seen: false, elsewhere: false },
        { done: false, seen: false, elsewhere: false },
        { done: false, seen: true, elsewhere: false },
      ]);
      assert.deepEqual(await duplicates.meet(["b", "c"]), [
        { done: false, seen: true, elsewhere: false },
        { done: false, seen: false, elsewhere: false },
      ]);
    });

    it("let one process hold an event, until it is released or the time is over", async () => {
      const [one, two] = [store.duplicates("w1", LIMITS), store.duplicates("w1", LIMITS)];
      const elsewhere = async (duplicates: typeof one): Promise<readonly boolean[]> =>
        (await duplicates.meet(["a", "b"], ["a"])).map((known) => known.elsewhere);
      const both = await Promise.all([elsewhere(one), elsewhere(two)]);
      assert.deepEqual(both.flat().sort(), [false, false, false, true], "not one of them holds it");
      clock.pass(600);
      assert.deepEqual(await elsewhere(two), [true, false]);
      clock.pass(600);
      assert.deepEqual(await elsewhere(two), [false, false], "a question has made the time longer");
      await two.release(["a"]);
      assert.deepEqual(await elsewhere(one), [false, false]);
      assert.deepEqual(await elsewhere(two), [true, false]);
    });

    it("forget what is too old or too much, the oldest first", async () => {
      const duplicates = store.duplicates("w1", LIMITS);
      const keys = async () => pick(await rowsOf(engine, DONE_KEYS), "event_key");
      for (const key of ["a", "b", "c", "d"]) {
        await duplicates.record("done", [key]);
        clock.pass(1);
      }
      await duplicates.deleteOld();
      await duplicates.trim();
      assert.deepEqual(await keys(), ["b", "c", "d"]);
      clock.pass(998);
      assert.deepEqual(pick(await duplicates.meet(["b", "d"]), "done"), [false, true]);
      await duplicates.deleteOld();
      assert.deepEqual(await keys(), ["d"]);
    });
  });
}
