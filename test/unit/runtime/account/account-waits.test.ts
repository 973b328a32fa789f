import assert from "node:assert/strict";
import type { Account } from "../../../../lib/runtime/account/account";
import type { AccountConfig } from "../../../../lib/runtime/account/account-settings";
import type { FlowLifecycle } from "../../../../lib/runtime/node-red/flow-lifecycle";
import { AccountMemory } from "../../../../lib/runtime/memory/account-memory";
import { shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { HOUR, TestNode } from "../waits/waiting-process";
import { useFolder } from "../../store/use-folder";
import { accountWith } from "./account-under-test";

const REQUEST = {
  node: "n1",
  kind: "delivered",
  channel: "any",
  transferId: "t1",
  clientMessageId: null,
  recipients: ["41790000001"],
  until: Date.now() + HOUR,
  group: null,
  msg: { _msgid: "m1" },
} as const;

describe("the waits of an account", () => {
  const folder = useFolder();
  const watching = new Set<() => void>();
  const lifecycle = {
    running: true,
    onStarted: (listener: () => void) => {
      watching.add(listener);
      return () => watching.delete(listener);
    },
  } as unknown as FlowLifecycle;

  const accountOf = (config: Partial<AccountConfig>): Account => accountWith({ id: "a1", config, lifecycle });

  it("are in memory where it keeps messages there", async () => {
    const account = accountOf({ keepMessages: "memory" });
    const waits = await account.waits();
    assert.equal(await account.waits(), waits);
    waits.join("n1", new TestNode());
    await waits.begin(REQUEST);
    assert.equal(AccountMemory.of("a1").waits.load.open, 1);
    await account.close(0);
    // It waits on for the account of the next deploy.
    assert.equal(AccountMemory.of("a1").waits.load.open, 1);
  });

  it("are in its store otherwise, the same for all nodes, and end with it", async () => {
    // What is in memory follows the flows as long as the process runs.
    const before = watching.size;
    const account = accountOf({ keepMessages: "computer", storeFolder: folder() });
    const waits = await account.waits();
    assert.equal(await account.waits(), waits);
    const node = new TestNode();
    waits.join("n1", node);
    await assert.rejects(waits.begin(REQUEST), { code: "UNKNOWN_MESSAGE" });
    await account.close(0);
    assert.equal(watching.size, before);
    await assert.rejects(account.waits(), { code: "ACCOUNT_CLOSED" });
    await assert.rejects(waits.begin(REQUEST), { code: "ACCOUNT_CLOSED" });
    // Whoever was the last to give the store back has closed it, so that this is another engine.
    const { engine, release } = await shareSqlite(folder());
    await engine.run([]);
    await release();
    await assert.rejects(engine.run([]), { code: "STORE_CLOSED" });
  });
});
