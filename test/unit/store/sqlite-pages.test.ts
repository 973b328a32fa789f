import assert from "node:assert/strict";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import type { HistoryCursor } from "../../../lib/store/history";
import { Store } from "../../../lib/store/store";
import { newJob, newRequest } from "./suite/store-under-test";
import { useFolder } from "./use-folder";

const REQUESTS = 100_000;
const PAGE = 1_000;
/** Pages after which both threads and the cache of the database have their size. */
const EARLY = 20;
/** Bytes that the process may grow by afterwards. All the pages together take a multiple. */
const MOST = 40 * 1024 * 1024;

describe("100,000 requests in a store", () => {
  const folder = useFolder();

  it("are taken, claimed and read page by page, without being held at once", async function () {
    // A hundred thousand of anything takes its time where others use the processor.
    this.timeout(90_000);
    const { engine, release } = await shareSqlite(folder());
    const store = new Store(engine, { keepTexts: true });
    await store.instances("me").start();
    let pages = 0;
    let early = 0;
    let peak = 0;
    const look = (): void => {
      peak = Math.max(peak, process.memoryUsage.rss());
      if (++pages === EARLY) early = peak;
    };
    const content = JSON.stringify({ messageContent: "x".repeat(300) });
    const job = newJob();
    await store.jobs.begin(job);
    for (let first = 0; first < REQUESTS; first += PAGE) {
      const page = Array.from({ length: PAGE }, (_, at) =>
        newRequest({ part: first + at, content, recipients: [String(41790000000 + first + at)] }),
      );
      await store.jobs.add(job.key, page);
      look();
    }
    await store.jobs.seal(job.key, "a1");
    assert.equal((await store.requests.counts("a1")).ready, REQUESTS);
    let claimed = 0;
    for (;;) {
      const page = await store.requests.claim("a1", "me", PAGE);
      if (page.length === 0) break;
      assert.equal(page[0]?.part, claimed, "in their order");
      claimed += page.length;
      look();
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
      read += page.length;
      look();
      if (page.length < PAGE) break;
      after = page.at(-1)!.cursor;
      // Each page takes as long as the first, so one of them in the middle stands for many.
      if (read === 10 * PAGE) after = [after[0], after[1], REQUESTS - 10 * PAGE - 1, 0];
    }
    assert.equal(read, 20 * PAGE);
    await release();
    const grown = peak - early;
    assert.ok(grown < MOST, `${Math.round(grown / 1024 / 1024)} MB`);
  });
});
