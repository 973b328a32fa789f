import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { NewEvent } from "../../../../lib/store/events/deliveries";
import { statement } from "../../../../lib/store/schema/statement";
import { waitsTopic } from "../../../../lib/store/waits/waits-topic";
import type { NewWait, OpenWait, PendingReply, ReplyChannel } from "../../../../lib/store/waits/wait";
import {
  answered,
  countRows,
  NO_ROWS,
  kill,
  newEvent,
  type OpenStore,
  takeJob,
  useFixture,
  pick,
} from "./store-under-test";
import { rowOf } from "../../../../lib/store/engine/query";

const ANNA = "41790000001";
const BEAT = "41790000002";
const CLEO = "41790000003";
const MINUTE = 60_000;
const NODES = ["n2", "n3"];

const ROWS = statement("test_wait_rows")`
    SELECT (SELECT count(*) FROM waits) AS waits, (SELECT count(*) FROM wait_recipients) AS recipients,
    (SELECT count(*) FROM replies) AS replies`;

let last = 0;

/** Messages that wait for what becomes of their requests, whatever the engine. */
export function waitsSuite(open: OpenStore): void {
  const { clock, engine, me, store } = useFixture(open);
  const sent = new Map<string, readonly string[]>();

  /** A request that has left, with its answer. @returns its id */
  const send = async (transferId: string, recipients: readonly string[] = [ANNA]): Promise<number> => {
    sent.set(transferId, recipients);
    await takeJob(store, [{ recipients, clientMessageId: `c-${transferId}` }]);
    const [claimed] = await store.claims.claim("a1", me, 1);
    const id = Number(claimed?.id);
    await store.settlements.settle(me, [answered(id, { transferId })]);
    return id;
  };

  const newWait = (given: Partial<NewWait> = {}): NewWait => ({
    key: `w-${++last}`,
    account: "a1",
    scope: given.account ?? "a1",
    node: "n2",
    resultOwner: me,
    kind: "delivered",
    channel: "any",
    transferId: "t1",
    clientMessageId: `c-${given.transferId ?? "t1"}`,
    recipients: sent.get(given.transferId ?? "t1") ?? [ANNA],
    until: clock.time + 5 * MINUTE,
    group: null,
    repeated: false,
    snapshot: '{"payload":"hello"}',
    ...given,
  });

  const start = async (given: Partial<NewWait> = {}): Promise<OpenWait> => {
    const started = await store.waits.start(newWait(given));
    assert.ok(started !== null && started !== "continued");
    return started;
  };

  const note = (...events: readonly Partial<NewEvent>[]) =>
    store.deliveries.note(
      "a1",
      events.map((each) => newEvent({ transferId: "t1", ...each })),
    );

  const writes = (text: string, number = ANNA, channel: ReplyChannel = "sms"): Partial<NewEvent> => ({
    kind: "inbound",
    status: null,
    transferId: null,
    number,
    reply: { channel, body: JSON.stringify({ content: text }) },
  });

  /** What was reported: number and what, wait by wait. */
  const reported = async (resultOwner = me) =>
    (await store.waits.reported(resultOwner, 100, NODES)).flatMap(({ reported: all }) =>
      pick(all, "number", "outcome", "status"),
    );
  const timedOut = async (resultOwner = me) =>
    (await store.waits.timedOut(resultOwner, 100, NODES)).map(({ waits }) =>
      waits.flatMap(({ numbers }) => numbers),
    );
  const pending = (resultOwner = me): Promise<readonly PendingReply[]> =>
    store.waits.replies(resultOwner, 100, NODES);
  const texts = async () => (await pending()).map(({ body, wait }) => [JSON.parse(body).content, wait]);

  /** Ends what has waited until now. */
  const expire = (most = 100): Promise<number> => store.waits.expire(me, most, NODES);
  /** Ends were emitted. */
  const emitted = (wait: number, ...indexes: readonly number[]): Promise<void> =>
    store.waits.emitted(wait, indexes);
  const first = async (): Promise<PendingReply> => (await pending())[0] as PendingReply;
  /** Passes the first pending reply. */
  const passFirst = async (isDeferred = false): Promise<void> =>
    store.waits.passReply(await first(), isDeferred);

  describe("a wait for a delivery", () => {
    it("ends with the event, and is forgotten when that has left", async () => {
      await send("t1");
      const wait = await start();
      assert.deepEqual([wait.open, wait.recipients, wait.emitted], [1, 1, 0]);
      await note({ status: "sent" });
      assert.deepEqual(await reported(), []);
      await note({ status: "Delivered" });
      assert.deepEqual(await reported(), [[ANNA, "matched", "delivered"]]);
      await emitted(wait.id, 0);
      assert.deepEqual(await reported(), []);
      assert.equal(await store.waits.nextEnd(me, NODES), null);
    });

    it("ends with the first of delivered and read where delivered is enough, and only with read otherwise", async () => {
      await send("t1");
      await send("t2", [BEAT]);
      await start();
      await start({ kind: "read", transferId: "t2" });
      await note({ status: "read" }, { status: "delivered", transferId: "t2", number: BEAT });
      assert.deepEqual(await reported(), [[ANNA, "matched", "read"]]);
      await note({ status: "read", transferId: "t2", number: BEAT });
      assert.deepEqual((await reported())[1], [BEAT, "matched", "read"]);
    });

    for (const status of ["failed", "expired", "deleted", "rejected", "undelivered"]) {
      const goesOn = status === "undelivered";
      it(`${goesOn ? "goes on after" : "fails with"} ${status}`, async () => {
        await send("t1");
        await start();
        await note({ status });
        assert.deepEqual(await reported(), goesOn ? [] : [[ANNA, "failed", status]]);
      });
    }

    it("ends at once with what came before it", async () => {
      await send("t1", [ANNA, BEAT]);
      await note({ status: "delivered" }, { status: "failed", number: BEAT });
      const { open: waiting } = await start();
      assert.equal(waiting, 2);
      assert.deepEqual(await reported(), [
        [ANNA, "matched", "delivered"],
        [BEAT, "failed", "failed"],
      ]);
    });

    it("tells its result owner when it hears something", async () => {
      let told = 0;
      const end = engine.listen(waitsTopic(me), () => told++);
      await send("t1");
      await start();
      await note({ status: "sent" });
      assert.equal(told, 0);
      await note({ status: "delivered" });
      assert.equal(told, 1);
      end();
    });

    it("gives 900 and 40 of a list of 1,000 one by one, and the 60 others together", async () => {
      const numbers = Array.from({ length: 1000 }, (_, at) => `4179${String(1000000 + at)}`);
      await send("t1", numbers);
      const { id, recipients } = await start();
      assert.equal(recipients, 1000);
      await note(
        ...numbers.slice(0, 940).map((number, at) => ({ number, status: at < 900 ? "delivered" : "failed" })),
      );
      const outcomes = { matched: 0, failed: 0, unmatched: 0 };
      for (;;) {
        const [page] = await store.waits.reported(me, 300, NODES);
        if (page === undefined) {
          break;
        }
        assert.ok(page.reported.length <= 300);
        for (const each of page.reported) {
          outcomes[each.outcome]++;
        }
        await store.waits.emitted(id, pick(page.reported, "index"));
      }
      assert.deepEqual(outcomes, { matched: 900, failed: 40, unmatched: 0 });
      assert.equal(await expire(), 0);
      clock.pass(5 * MINUTE);
      assert.equal(await expire(), 1);
      assert.deepEqual(await timedOut(), [numbers.slice(940)]);
      assert.equal((await store.waits.some([id]))[0]?.emitted, 940);
      await note({ status: "delivered", number: numbers[999] ?? "" });
      assert.deepEqual(await reported(), []);
    });
  });

  describe("the end of waits", () => {
    it("is that of the earliest", async () => {
      await send("t1");
      const now = clock.time;
      await start({ until: now + 3 * MINUTE });
      await start({ until: now + 2 * MINUTE });
      await start({ until: now + MINUTE, node: "n9" });
      assert.equal(await store.waits.nextEnd(me, NODES), now + 2 * MINUTE);
      clock.pass(2 * MINUTE);
      assert.equal(await expire(), 1);
      assert.equal(await store.waits.nextEnd(me, NODES), now + 3 * MINUTE);
    });

    it("of a group is that of its last one, and all of it leaves together", async () => {
      await send("t1");
      await send("t2", [BEAT]);
      await send("t3", [CLEO]);
      const now = clock.time;
      await start({ group: "g", until: now + MINUTE });
      const second = await start({ group: "g", transferId: "t2", until: now + 2 * MINUTE });
      await start({ group: "g", transferId: "t3", until: now + 2 * MINUTE });
      clock.pass(MINUTE);
      await expire();
      assert.deepEqual(await timedOut(), []);
      assert.equal(await store.waits.nextEnd(me, NODES), now + 2 * MINUTE);
      await note({ status: "delivered", number: BEAT, transferId: "t2" });
      await emitted(second.id, 0);
      clock.pass(MINUTE);
      await expire();
      assert.deepEqual(await timedOut(), [[ANNA, CLEO]]);
      const [group] = await store.waits.timedOut(me, 100, NODES);
      const waits = group?.waits ?? [];
      for (const { wait } of waits) {
        await emitted(wait.id, 0);
      }
      assert.deepEqual(await timedOut(), []);
    });
  });

  describe("a wait for a reply", () => {
    const ask = (given: Partial<NewWait> = {}) => start({ kind: "reply", channel: "sms", ...given });

    it("gets what the number writes, in order, and ends with the one that it takes", async () => {
      await send("t1");
      const { id } = await ask();
      await note(writes("perhaps"), writes("hello", BEAT), writes("YES"), writes("NO"));
      assert.deepEqual(await texts(), [
        ["perhaps", id],
        ["YES", id],
        ["NO", id],
      ]);
      const [perhaps, yes, no] = await pending();
      await store.waits.passReply(perhaps as PendingReply, false);
      await store.waits.endByReply(yes as PendingReply, "matched");
      await store.waits.endByReply(yes as PendingReply, "matched");
      await store.waits.endByReply(no as PendingReply, "matched");
      assert.deepEqual(await pending(), []);
      const [ended] = await store.waits.reported(me, 10, NODES);
      const all = ended?.reported ?? [];
      assert.deepEqual(
        all.map(({ outcome, reply }) => [outcome, JSON.parse(reply ?? "null")]),
        [["matched", { content: "YES" }]],
      );
      await emitted(id, 0);
      // What came after the answer is there for whoever asks next.
      const next = await ask();
      assert.deepEqual(await texts(), [["NO", next.id]]);
    });

    it("ends with another reply too, and what comes after that is there for whoever asks next", async () => {
      await send("t1", [ANNA, BEAT]);
      const { id } = await ask();
      await note(writes("perhaps"), writes("YES"));
      const [perhaps, yes] = await pending();
      await store.waits.endByReply(perhaps as PendingReply, "unmatched");
      await store.waits.endByReply(perhaps as PendingReply, "unmatched");
      await store.waits.endByReply(yes as PendingReply, "matched");
      const [ended] = await store.waits.reported(me, 10, NODES);
      assert.deepEqual(
        ended?.reported.map(({ number, outcome, reply }) => [number, outcome, JSON.parse(reply ?? "null")]),
        [[ANNA, "unmatched", { content: "perhaps" }]],
      );
      await note({ status: "failed", number: ANNA });
      assert.deepEqual(await reported(), [[ANNA, "unmatched", null]]);
      await emitted(id, 0);
      clock.pass(5 * MINUTE);
      await expire();
      assert.deepEqual(await timedOut(), [[BEAT]]);
      await emitted(id, 1);
      const next = await ask();
      assert.deepEqual(await texts(), [["YES", next.id]]);
    });

    it("gets a copy of an event once", async () => {
      await send("t1");
      await ask();
      const event = { ...writes("hello"), key: "same" };
      await note(event);
      await note(event);
      await passFirst();
      await note(event);
      assert.deepEqual(await pending(), []);
    });

    it("gets those of its channel, or of any", async () => {
      await send("t1");
      const { id } = await ask({ channel: "whatsapp" });
      await note(writes("by SMS"), writes("by WhatsApp", ANNA, "whatsapp"));
      assert.deepEqual(await texts(), [["by WhatsApp", id]]);
      await send("t2", [BEAT]);
      const any = await ask({ channel: "any", transferId: "t2" });
      await note(writes("by RCS", BEAT, "rcs"));
      assert.deepEqual((await texts()).at(-1), ["by RCS", any.id]);
    });

    it("gets what came after the message left and before it began", async () => {
      await note(writes("too early"));
      clock.pass(1000);
      await send("t1");
      clock.pass(1000);
      await note(writes("quick"));
      const { id } = await ask();
      assert.deepEqual(await texts(), [["quick", id]]);
    });

    it("leaves a reply for a later wait, which does not get it twice", async () => {
      await send("t1");
      await ask();
      await note(writes("perhaps"));
      await passFirst(true);
      assert.deepEqual(await pending(), []);
      await store.waits.recheck(10 * MINUTE);
      assert.deepEqual(await pending(), []);
      const next = await ask();
      assert.deepEqual(await texts(), [["perhaps", next.id]]);
    });

    it("gives way to a newer one for the same number and channel", async () => {
      await send("t1");
      await send("t2", [ANNA, BEAT]);
      const older = await ask();
      const other = await ask({ channel: "rcs" });
      const newer = await ask({ transferId: "t2", until: clock.time + 60 * MINUTE });
      await note(writes("YES"), writes("YES", ANNA, "rcs"));
      assert.deepEqual(
        (await texts()).map(([, wait]) => wait).sort((a, b) => a - b),
        [newer.id, other.id].sort((a, b) => a - b),
      );
      for (const reply of await pending()) {
        await store.waits.endByReply(reply, "matched");
      }
      await note(writes("YES again"));
      assert.deepEqual(await pending(), []);
      clock.pass(5 * MINUTE);
      await expire();
      const ended = await store.waits.timedOut(me, 100, NODES);
      assert.deepEqual(
        ended.flatMap(({ waits }) =>
          waits.map(({ wait, numbers, replaced }) => [wait.id, numbers, replaced]),
        ),
        [[older.id, [ANNA], true]],
      );
    });

    it("fails with its message", async () => {
      await send("t1");
      await ask();
      await note({ status: "delivered" });
      assert.deepEqual(await reported(), []);
      await send("t2", [BEAT]);
      await ask({ transferId: "t2" });
      await note({ status: "failed", transferId: "t2", number: BEAT });
      assert.deepEqual(await reported(), [[BEAT, "failed", "failed"]]);
    });

    for (const together of [true, false]) {
      it(`looks at a reply before its message fails, ${together ? "also when both come at once" : "and fails when it was another one"}`, async () => {
        await send("t1");
        await ask();
        await note(...(together ? [writes("YES"), { status: "failed" }] : [writes("YES")]));
        await note({ status: "failed" });
        assert.deepEqual(await reported(), []);
        const [yes] = await pending();
        if (together) {
          await store.waits.endByReply(yes as PendingReply, "matched");
          assert.deepEqual(await reported(), [[ANNA, "matched", null]]);
        } else {
          await store.waits.passReply(yes as PendingReply, false);
          assert.deepEqual(await reported(), [[ANNA, "failed", "failed"]]);
        }
      });
    }

    it("does not end before it has looked at what came in time", async () => {
      await send("t1");
      await ask();
      await note(writes("YES"));
      clock.pass(10 * MINUTE);
      assert.equal(await expire(), 0);
      assert.equal(await store.waits.nextEnd(me, NODES), null);
      await passFirst();
      assert.equal(await expire(), 1);
      assert.deepEqual(await timedOut(), [[ANNA]]);
    });
  });

  describe("a wait for a delivery", () => {
    it("finds the request of its recipient where a flow uses a client message id again", async () => {
      const unknown = async (number: string) => {
        await takeJob(store, [{ recipients: [number], clientMessageId: "order" }]);
        const [claimed] = await store.claims.claim("a1", me, 1);
        await store.settlements.settle(me, [answered(Number(claimed?.id), { outcome: "unknown" })]);
      };
      await unknown(ANNA);
      await unknown(BEAT);
      await start({ transferId: null, clientMessageId: "order", recipients: [ANNA] });
      await note({ transferId: null, clientMessageId: "order", number: BEAT, status: "delivered" });
      assert.deepEqual(await reported(), []);
      await note({ transferId: null, clientMessageId: "order", number: ANNA, status: "delivered" });
      assert.deepEqual(await reported(), [[ANNA, "matched", "delivered"]]);
    });

    it("does not begin for a message that the account has not sent", async () => {
      await send("t1");
      const { waits } = store;
      assert.equal(await waits.start(newWait({ transferId: "t9" })), null);
      assert.equal(await waits.start(newWait({ account: "a2" })), null);
      assert.equal(await waits.start(newWait({ transferId: null, clientMessageId: null })), null);
    });

    it("begins once however often it is asked to, also when it is over", async () => {
      await send("t1");
      const wait = newWait();
      const first = await start(wait);
      const second = await store.waits.start(wait);
      assert.deepEqual(second, first);
      await note({ status: "delivered" });
      await emitted(first.id, 0);
      assert.equal((await start(wait)).open, 0);
      assert.deepEqual(await reported(), []);
    });

    it("goes on where its message comes again after a restart, and begins where it is over or another node's", async () => {
      await send("t1", [ANNA, BEAT]);
      const first = await start();
      assert.equal(await store.waits.start(newWait({ repeated: true })), "continued");
      await start({ repeated: true, node: "n3" });
      await start({ repeated: true, kind: "read" });
      await note({ status: "read" }, { status: "read", number: BEAT });
      await emitted(first.id, 0, 1);
      const again = await start({ repeated: true });
      assert.deepEqual([again.recipients, again.open], [2, 2]);
    });
  });

  describe("waits of several instances", () => {
    it("are reported to their own result owner, and taken over from a dead one", async () => {
      const other = randomUUID();
      await send("t1");
      await store.instances(other).start();
      await start({ resultOwner: other });
      await note({ status: "delivered" });
      assert.deepEqual(await reported(), []);
      assert.equal((await reported(other)).length, 1);
      assert.equal(await store.waits.adopt(me, "a1", ["n2"]), 0);
      await kill(engine, other);
      assert.equal(await store.waits.adopt(me, "a1", ["n3"]), 0);
      assert.equal(await store.waits.adopt(me, "a2", ["n2"]), 0);
      assert.equal(await store.waits.adopt(me, "a1", ["n2"]), 1);
      assert.equal((await reported()).length, 1);
    });
  });

  describe("what waits need no more", () => {
    it("is deleted: replies that nobody asked for soon, what is over, what has no node after the time for keeping", async () => {
      const rows = async () => {
        const row = await rowOf(engine, ROWS);
        return [row?.waits, row?.recipients, row?.replies].map(Number);
      };
      await note(writes("out of the blue"));
      assert.deepEqual(await rows(), [0, 0, 0]);
      await send("t1");
      await note(writes("nobody asks"));
      const { id } = await start();
      await start({ node: "gone" });
      await note({ status: "delivered" });
      await emitted(id, 0);
      assert.deepEqual(await rows(), [2, 1, 1]);
      clock.pass(61 * MINUTE);
      await store.retention.deleteOld("a1", 30 * 86_400_000);
      assert.deepEqual(await rows(), [1, 1, 0]);
      clock.pass(31 * 86_400_000);
      await store.retention.deleteOld("a1", 30 * 86_400_000);
      assert.deepEqual(await rows(), [0, 0, 0]);
    });

    it("is not deleted before a wait has ended, however old its request is", async () => {
      const DAY = 24 * 60 * MINUTE;
      const deleteOld = async () => {
        while (await store.retention.deleteOld("a1", DAY)) {
          // There may be more.
        }
      };
      const id = await send("t1");
      await store.settlements.emitted([id]);
      const wait = await start({ kind: "read", until: clock.time + 30 * DAY });
      clock.pass(3 * DAY);
      await deleteOld();
      await note({ status: "read" });
      assert.deepEqual(await reported(), [[ANNA, "matched", "read"]]);
      await emitted(wait.id, 0);
      await deleteOld();
      assert.deepEqual(await countRows(engine), { ...NO_ROWS, events: 1 });
    });

    it("is not deleted with a number that somebody waits for", async () => {
      const id = await send("t1");
      await store.settlements.emitted([id]);
      const wait = await start({ transferId: null, clientMessageId: "c-t1" });
      assert.deepEqual(await store.retention.deleteNumber(ANNA), {
        recipients: 0,
        events: 0,
        open: 1,
        gathered: 0,
      });
      await note({ transferId: null, clientMessageId: "c-t1", status: "delivered" });
      assert.deepEqual(await reported(), [[ANNA, "matched", "delivered"]]);
      await emitted(wait.id, 0);
      assert.deepEqual(await store.retention.deleteNumber(ANNA), {
        recipients: 1,
        events: 1,
        open: 0,
        gathered: 0,
      });
    });

    it("is deleted with everything else of a number", async () => {
      await send("t1");
      await note(writes("my secret"));
      await store.retention.deleteNumber(ANNA);
      await start({ kind: "reply" }).catch(() => {});
      assert.deepEqual(await pending(), []);
    });
  });
}
