import assert from "node:assert/strict";
import { shareSqlite } from "../../lib/store/engine/sqlite/shared-sqlite";
import { Store } from "../../lib/store/store";
import { newJob, newRequest } from "../unit/store/suite/store-under-test";
import { useFolder } from "../unit/store/use-folder";
import { readStoreAfterKill } from "./store-after-kill";

describe("the store as the crash suite reads it", () => {
  const folder = useFolder();

  it("has nothing where no store was made", async () => {
    const { open, taken } = await readStoreAfterKill(folder(), ["1001"]);
    assert.deepEqual([open.size, taken.size], [0, 0]);
  });

  it("has the state of each number, and knows whole messages from those that were begun", async () => {
    const { engine, release } = await shareSqlite(folder());
    const store = new Store(engine, { keepTexts: true });
    await store.instances("i").start();
    await store.jobs.take(newJob({ key: "a", account: "x", resultOwner: "i" }), [
      newRequest({ part: 0, recipients: ["1001"] }),
    ]);
    const [claimed] = await store.claims.claim("x", "i", 1);
    await store.jobs.take(newJob({ key: "b", account: "x", resultOwner: "i" }), [
      newRequest({ part: 0, recipients: ["1002"] }),
    ]);
    await store.jobs.begin(newJob({ key: "c", account: "x", resultOwner: "i" }));
    await store.jobs.add("c", [newRequest({ part: 0, recipients: ["1003"] })]);

    // The process that has the file open counts as killed: it is not asked.
    const { open, taken } = await readStoreAfterKill(folder(), ["1001", "1002", "1003", "1004"]);
    assert.deepEqual([...open].sort(), [
      ["1001", "leaving"],
      ["1002", "queued"],
      ["1003", "filling"],
    ]);
    assert.deepEqual([...taken].sort(), ["1001", "1002"]);

    const settled = { outcome: "sent", transferId: null, attempts: 1, answer: "{}", emitted: true } as const;
    await store.settlements.settle("i", [{ ...settled, id: claimed?.id ?? 0 }]);
    assert.equal((await readStoreAfterKill(folder(), [])).open.has("1001"), false);
    await release();
  });
});
