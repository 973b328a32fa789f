import assert from "node:assert/strict";
import { waitFor } from "../../../support/wait-for";
import { newJob, newRequest } from "../../store/suite/store-under-test";
import { ACCOUNT, type TestQueue, useQueue } from "./queue-fixture";

const CONNECTIONS = 8;
/** Messages of a test: enough for some windows in which answers are counted. */
const MESSAGES = 300;

describe("durable queue of a store that processes share", () => {
  const fixture = useQueue();
  let contents: string[] = [];
  let most = 0;

  /** Takes messages as a process does that has no room for them, and opens a queue. */
  async function busy(): Promise<TestQueue> {
    const { engine, store, open } = fixture();
    engine.isShared = true;
    most = 0;
    const opened = open({ concurrency: CONNECTIONS });
    contents = Array.from({ length: MESSAGES }, (_, at) => `m${String(at).padStart(3, "0")}`);
    for (const content of contents) {
      const request = newRequest({ clientMessageId: content });
      const job = newJob({ account: ACCOUNT, node: "n1", resultOwner: "me" });
      const stored = await store.jobs.take(job, [request], opened.queue.isBusy);
      opened.queue.accepted(stored, false);
    }
    return opened;
  }

  /** Answers the requests that have a connection. */
  function answerThose({ dispatcher }: TestQueue): void {
    most = Math.max(most, dispatcher.waiting);
    for (const { content } of dispatcher.underWay.slice(0, CONNECTIONS)) {
      dispatcher.answer(content);
    }
  }

  async function answerAll(
    opened: TestQueue,
    until: () => boolean = () => opened.settled.length >= MESSAGES,
  ) {
    await waitFor(
      () => `${opened.settled.length} results`,
      () => {
        answerThose(opened);
        return until();
      },
      120_000,
    );
  }

  /** Each has left once, and is marked. */
  async function allDone({ dispatcher }: TestQueue): Promise<void> {
    assert.deepEqual(dispatcher.started.map(({ content }) => content).sort(), contents);
    await waitFor("the marks", async () =>
      (await fixture().rows()).every((row) => row.endsWith(" emitted sent 1")),
    );
  }

  it("claims ahead while answers come quickly, by keys, and at most as many as there are connections", async () => {
    const opened = await busy();
    await answerAll(opened);
    assert.ok(most > 0 && most <= CONNECTIONS, `${most} waited`);
    assert.ok(fixture().engine.ran.includes("requests_claim_listed"));
    await allDone(opened);
  });

  it("finds what others have claimed, and what waits that it did not accept itself", async () => {
    const opened = await busy();
    const { store, instances } = fixture();
    const stolen = await store.claims.claim(ACCOUNT, instances.id, 40);
    await answerAll(opened, () => opened.settled.length >= 100);
    await store.claims.release(
      ACCOUNT,
      instances.id,
      stolen.map(({ id }) => ({ id, delay: 0, priority: 0, attempts: 0 })),
    );
    await answerAll(opened);
    await allDone(opened);
  });

  for (const [name, when] of [
    ["requests_claim_listed", "before"],
    ["requests_claim_listed", "after"],
    ["requests_claim", "after"],
    ["requests_settle", "before"],
    ["requests_settle", "after"],
    ["requests_emitted", "before"],
    ["requests_emitted", "after"],
  ] as const) {
    it(`sends each once where ${name} fails ${when} it has happened`, async () => {
      const opened = await busy();
      await answerAll(opened, () => most > 0);
      fixture().engine.fail(name, when, 3, "STORE_SLOW");
      await answerAll(opened);
      await allDone(opened);
      assert.ok(opened.faults.includes("STORE_SLOW"));
    });
  }
});
