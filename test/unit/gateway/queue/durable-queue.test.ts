// Slow: each test waits for commits of a SQLite file.
import assert from "node:assert/strict";
import { localVerdict } from "../../../../lib/gateway/codec/verdict";
import { FieldError, SetupError } from "../../../../lib/shared/messaging-error";
import { StoreError } from "../../../../lib/store/engine/store-error";
import { waitFor } from "../../../support/wait-for";
import { newJob, newRequest } from "../../store/suite/store-under-test";
import { ACCOUNT, type QueueFixture, type TestQueue, useQueue } from "./queue-fixture";

const started = ({ dispatcher }: TestQueue): string[] => dispatcher.started.map(({ content }) => content);
const startedCount = (opened: TestQueue, count: number) =>
  waitFor(
    () => `${count} requests, after ${started(opened).join(", ")}`,
    () => opened.dispatcher.started.length >= count,
  );

describe("durable queue", () => {
  const fixture = useQueue();

  const ledger = (...wanted: readonly string[]): Promise<void> => fixture().ledger(...wanted);

  /** Accepts messages, and opens a queue that starts so many of them. */
  async function running(
    contents: readonly string[],
    count: number,
    options?: Parameters<QueueFixture["open"]>[0],
  ): Promise<TestQueue> {
    await fixture().take(...contents);
    const opened = fixture().open(options);
    await startedCount(opened, count);
    return opened;
  }

  describe("a message that leaves at once", () => {
    const job = () => newJob({ account: ACCOUNT });
    const request = (content: string) => newRequest({ clientMessageId: content });
    /** A queue that has nothing to claim. */
    const ready = async (options?: Parameters<QueueFixture["open"]>[0]): Promise<TestQueue> => {
      const opened = fixture().open(options);
      await waitFor("a queue that has nothing to claim", () => opened.queue.mayAcceptSending("sms-json"));
      return opened;
    };

    it("is started without a claim, and settled like others", async () => {
      const { engine } = fixture();
      const opened = await ready();
      const before = engine.ran.length;
      await opened.queue.acceptSending(job(), request("a"));
      assert.deepEqual(started(opened), ["a"]);
      assert.ok(!engine.ran.slice(before).includes("requests_claim"));
      await ledger("a sending");
      opened.dispatcher.answer("a");
      await ledger("a emitted sent 1");
    });

    it("waits while another one does, while requests need slots, and while none can start", async () => {
      const { take } = fixture();
      const opened = await ready({ concurrency: 1 });
      opened.dispatcher.interval = 10;
      assert.equal(opened.queue.mayAcceptSending("sms-json"), false);
      opened.dispatcher.interval = 0;
      assert.equal(opened.queue.mayAcceptSending("sms-json"), true);
      await opened.queue.acceptSending(job(), request("a"));
      assert.equal(opened.queue.mayAcceptSending("sms-json"), false);
      await take("b");
      opened.dispatcher.answer("a");
      assert.equal(opened.queue.mayAcceptSending("sms-json"), false);
      await startedCount(opened, 2);
    });

    it("is found and sent where the answer of the store was lost and nobody says that it is there", async () => {
      const { engine } = fixture();
      const opened = await ready();
      engine.fail("jobs_stop_sending", "after");
      await assert.rejects(opened.queue.acceptSending(job(), request("a")), StoreError);
      await startedCount(opened, 1);
      opened.dispatcher.answer("a");
      await ledger("a emitted sent 1");
    });

    it("is put back where the queue closes meanwhile", async () => {
      const opened = await ready();
      const taking = opened.queue.acceptSending(job(), request("a"));
      opened.dispatcher.stop();
      await Promise.all([taking, opened.queue.close(0)]);
      await ledger("a queued");
      assert.deepEqual(started(opened), []);
    });
  });

  describe("claims", () => {
    it("takes only as many as can start at once, and more as soon as one is done", async () => {
      const opened = await running(["a", "b", "c", "d"], 2, { concurrency: 2 });
      await ledger("a sending", "b sending", "c queued", "d queued");
      opened.dispatcher.answer("b");
      await startedCount(opened, 3);
      assert.deepEqual(started(opened), ["a", "b", "c"]);
      await ledger("a sending", "b emitted sent 1", "c sending", "d queued");
    });

    it("claims no request before the slot of the rate limit is near", async () => {
      const { take, open } = fixture();
      await take("a", "b", "c");
      const opened = open({ start: false });
      opened.dispatcher.interval = 60_000;
      opened.queue.start();
      await startedCount(opened, 1);
      await ledger("a sending", "b queued", "c queued");
      opened.dispatcher.nextIn = 0;
      opened.queue.wake();
      await startedCount(opened, 2);
      await ledger("a sending", "b sending", "c queued");
    });
  });

  describe("requests that are put back", () => {
    it("leave again after their pause, first, and with the tries that were made", async () => {
      const { clock } = fixture();
      const opened = await running(["a", "b", "c"], 1, { concurrency: 1 });
      opened.dispatcher.putBack("a", 400, 2);
      await startedCount(opened, 2);
      await ledger("a queued 2", "b sending", "c queued");
      clock.pass(400);
      opened.dispatcher.answer("b");
      await startedCount(opened, 3);
      assert.deepEqual(started(opened), ["a", "b", "a"]);
      assert.equal(opened.dispatcher.started[2]?.attempts, 2);
    });

    it("are not claimed again at once where the process may not send", async () => {
      const { instances } = fixture();
      const opened = await running(["a"], 1);
      Object.defineProperty(instances, "mayLeave", { get: () => false });
      assert.equal(opened.dispatcher.started[0]?.stored.mayLeave(), false);
      opened.dispatcher.putBack("a", 0, 0);
      await ledger("a queued");
      assert.equal(await fixture().store.backlog.nextDue("a1", ""), 1000);
      assert.deepEqual(started(opened), ["a"]);
      assert.deepEqual(opened.settled, []);
    });

    it("keep pause and tries where that could not be written, and leave once", async () => {
      for (const when of ["before", "after"] as const) {
        const { engine } = fixture();
        const opened = await running([when], 1);
        engine.fail("requests_release", when);
        opened.dispatcher.putBack(when, 0, 3);
        await startedCount(opened, 2);
        assert.equal(opened.dispatcher.started[1]?.attempts, 3, when);
        opened.dispatcher.answer(when);
        await waitFor("the mark", () => opened.marked.length === 1);
        assert.deepEqual(started(opened), [when, when]);
        assert.deepEqual(opened.faults.filter((each) => each !== null).slice(0, 1), ["STORE_FULL"]);
        assert.equal(opened.faults.at(-1), null);
        await opened.queue.close(0);
      }
    });

    it("are not put back twice where the store had done so, and they are on their way again", async () => {
      const { take, engine } = fixture();
      const opened = await running(["a"], 1);
      engine.fail("requests_release", "after");
      opened.dispatcher.putBack("a", 0, 1);
      await startedCount(opened, 2);
      // Every further failure makes the queue put back what it holds to be unsent.
      engine.fail("requests_claim", "after");
      await take("b");
      await startedCount(opened, 3);
      assert.deepEqual(started(opened), ["a", "a", "b"]);
      await ledger("a sending 1", "b sending");
    });
  });

  describe("a claim whose answer was lost", () => {
    it("is put back before the next one, and sent once", async () => {
      const { engine } = fixture();
      engine.fail("requests_claim", "after");
      const opened = await running(["a", "b"], 2);
      for (const content of ["a", "b"]) {
        opened.dispatcher.answer(content);
      }
      await ledger("a emitted sent 1", "b emitted sent 1");
      assert.deepEqual(started(opened), ["a", "b"]);
      assert.deepEqual(opened.faults, ["STORE_FULL", null]);
    });

    it("leaves alone what is on its way", async () => {
      const { take, engine } = fixture();
      const opened = await running(["a"], 1);
      engine.fail("requests_claim", "after");
      await take("b");
      await startedCount(opened, 2);
      assert.deepEqual(started(opened), ["a", "b"]);
      await ledger("a sending", "b sending");
    });
  });

  describe("a request that cannot be prepared", () => {
    it("is settled where a field is wrong", async () => {
      const { take, open } = fixture();
      await take("a", "b");
      const opened = open({
        prepare: ({ clientMessageId }) => {
          if (clientMessageId === "a") {
            throw new FieldError("FIELD_INVALID", "x", "is wrong");
          }
          return null;
        },
      });
      await startedCount(opened, 1);
      await ledger("a emitted rejected", "b sending");
      assert.deepEqual([started(opened), opened.settled], [["b"], ["a rejected FIELD_INVALID"]]);
    });

    it("is put back where the set-up is wrong, and says so", async () => {
      const { take, open, clock, store } = fixture();
      await take("a");
      let wrong = true;
      const opened = open({
        prepare: () => {
          if (wrong) {
            throw new SetupError("NO_CREDENTIALS", "none");
          }
          return null;
        },
      });
      await ledger("a queued");
      await waitFor("the fault", () => opened.faults.includes("NO_CREDENTIALS"));
      assert.deepEqual(opened.settled, []);
      wrong = false;
      assert.equal(await store.backlog.nextDue("a1", ""), 30_000);
      clock.pass(30_000);
      opened.queue.wake();
      await startedCount(opened, 1);
    });

    it("is settled where its content cannot be read", async () => {
      const { take, open } = fixture();
      await take("a");
      const opened = open({
        prepare: () => {
          throw new SyntaxError("Unexpected end of JSON input");
        },
      });
      await ledger("a emitted unknown");
      assert.deepEqual(opened.settled, ["a unknown INTERNAL_FAULT"]);
      assert.deepEqual(started(opened), []);
    });

    it("is settled as it was stored where it is not to be sent", async () => {
      const { take, open } = fixture();
      await take("a");
      const opened = open({ prepare: () => localVerdict("RECIPIENTS_INVALID") });
      await ledger("a emitted rejected");
      assert.deepEqual(started(opened), []);
    });
  });

  describe("closing", () => {
    it("puts back what a running claim brings, and starts nothing", async () => {
      const { take, open, engine } = fixture();
      await take("a");
      const free = engine.hold("requests_claim");
      const opened = open();
      await waitFor("the claim", () => engine.ran.includes("requests_claim"));
      const closing = opened.queue.close(0);
      free();
      await closing;
      await ledger("a queued");
      assert.deepEqual(started(opened), []);
    });

    it("waits until the last verdicts are here and written", async () => {
      const opened = await running(["a", "b"], 2);
      const closing = opened.queue.close(0);
      await waitFor("the dispatcher to be closed", () => opened.dispatcher.closed);
      // The dispatcher delivers verdicts in slices, also after this handle is closed.
      opened.dispatcher.answer("a");
      await new Promise((resolve) => setImmediate(resolve));
      opened.dispatcher.putBack("b", 0, 0);
      await closing;
      assert.deepEqual(await fixture().rows(), ["a emitted sent 1", "b queued"]);
    });

    it("lets the next queue of the account claim only when the one before has put everything back", async () => {
      const { take, open, engine } = fixture();
      await take("a");
      const first = open();
      await startedCount(first, 1);
      const free = engine.hold("requests_release");
      const claims = (): number => engine.ran.filter((name) => name === "requests_claim").length;
      const before = claims();
      const closing = first.queue.close(0);
      first.dispatcher.putBack("a", 0, 0);
      const next = open();
      await waitFor("the release", () => engine.ran.includes("requests_release"));
      // What the next queue had asked for would be there with this answer.
      await ledger("a sending");
      assert.equal(claims(), before);
      free();
      await startedCount(next, 1);
      await closing;
      assert.deepEqual([started(first), started(next)], [["a"], ["a"]]);
    });

    it("leaves to the next queue what is on its way at the one before", async () => {
      const { take, open, engine } = fixture();
      await take("a");
      const first = open();
      await startedCount(first, 1);
      let answered = (): void => {};
      first.dispatcher.closing = new Promise((resolve) => {
        answered = resolve;
      });
      const closing = first.queue.close(10_000);
      const next = open();
      engine.fail("requests_claim", "after");
      await take("b");
      await startedCount(next, 1);
      assert.deepEqual(started(next), ["b"]);
      first.dispatcher.answer("a");
      answered();
      await closing;
      await ledger("a emitted sent 1", "b sending");
    });
  });

  describe("while the store is away", () => {
    it("starts nothing, and goes on by itself when it is back", async () => {
      const { engine } = fixture();
      engine.fail("requests_claim", "before", 3);
      const opened = await running(["a", "b", "c"], 3);
      assert.deepEqual(started(opened), ["a", "b", "c"]);
      assert.deepEqual(opened.faults, ["STORE_FULL", "STORE_FULL", "STORE_FULL", null]);
    });

    it("claims nothing more when the lease of its process has expired", async () => {
      const { take, open, engine, store } = fixture();
      const opened = open();
      await waitFor("the first claim", () => engine.ran.includes("requests_claim"));
      await store.instances("other").start();
      await take("a");
      opened.queue.noteFault(new StoreError("STORE_DAMAGED", "", "", false));
      await waitFor("the end", () => opened.said.over === 1);
      await ledger("a queued");
      assert.deepEqual(started(opened), []);
    });
  });
});
