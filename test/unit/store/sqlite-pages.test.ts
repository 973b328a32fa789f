import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import type { HistoryCursor } from "../../../lib/store/history/history-entry";
import { Store } from "../../../lib/store/store";
import { answered, newJob, newRequest } from "./suite/store-under-test";
import { useFolder } from "./use-folder";

const REQUESTS = 20_000;
const [MESSAGES, AT_ONCE] = [1_000, 50];
const PAGE = 1_000;
describe("thousands of requests in a store", () => {
  const folder = useFolder();

  it("are taken, claimed and read page by page, in their order", async () => {
    const { engine, release } = await shareSqlite(folder());
    const store = new Store(engine, { keepTexts: true });
    await store.instances("me").start();
    const content = JSON.stringify({ messageContent: "x".repeat(300) });
    const job = newJob();
    await store.jobs.begin(job);
    for (let first = 0; first < REQUESTS; first += PAGE) {
      const page = Array.from({ length: PAGE }, (_, at) =>
        newRequest({ part: first + at, content, recipients: [String(41790000000 + first + at)] }),
      );
      await store.jobs.add(job.key, page);
    }
    await store.jobs.seal(job.key, "a1");
    assert.equal((await store.backlog.counts("a1")).ready, REQUESTS);
    let claimed = 0;
    for (;;) {
      const page = await store.claims.claim("a1", "me", PAGE);
      if (page.length === 0) break;
      assert.ok(page.length <= PAGE);
      assert.equal(page[0]?.part, claimed, "in their order");
      claimed += page.length;
    }
    assert.equal(claimed, REQUESTS);
    let read = 0;
    let after: HistoryCursor | null = null;
    for (;;) {
      const page: Awaited<ReturnType<typeof store.history.search>> = await store.history.search(
        {},
        after,
        PAGE,
      );
      assert.ok(page.length <= PAGE);
      read += page.length;
      if (page.length < PAGE) break;
      after = page.at(-1)!.cursor;
    }
    assert.equal(read, REQUESTS);
    await release();
  });
});

describe("messages in a file that are done", () => {
  const folder = useFolder();

  /** Bytes of the file that a number of messages of this length leave. */
  async function bytesOf(length: number): Promise<number> {
    const { engine, release } = await shareSqlite(`${folder()}/${length}`);
    const store = new Store(engine, { keepTexts: false });
    await store.instances("me").start();
    const size = async (): Promise<number> => {
      await engine.tidy();
      return statSync(engine.place).size;
    };
    const empty = await size();
    const snapshot = JSON.stringify({ payload: "x".repeat(length) });
    for (let at = 0; at < MESSAGES; at += AT_ONCE) {
      const taken = await Promise.all(
        Array.from({ length: AT_ONCE }, () =>
          store.jobs.acceptSending(newJob({ snapshot }), newRequest(), "me"),
        ),
      );
      const ids = taken.map((each) => each?.id ?? 0);
      await store.settlements.settle(
        "me",
        ids.map((id) => answered(id)),
      );
      await store.settlements.emitted(ids);
    }
    const bytes = (await size()) - empty;
    await release();
    return bytes;
  }

  it("need no more of it where they were long", async () => {
    const [short, long] = [await bytesOf(1), await bytesOf(1_000)];
    assert.ok(long < 1.2 * short, `${short} and ${long} bytes`);
  });
});
