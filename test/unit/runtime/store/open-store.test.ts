import assert from "node:assert/strict";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type AccountStore, openStore } from "../../../../lib/runtime/store/open-store";
import { readStoreSettings } from "../../../../lib/runtime/store/store-settings";
import { shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { deleteRemoved } from "../../../../lib/runtime/store/removed-accounts";
import { Store } from "../../../../lib/store/store";
import { waitFor } from "../../../support/wait-for";
import { answered, takeJob } from "../../store/suite/store-under-test";
import { useFolder } from "../../store/use-folder";
import { accountConfig } from "../../../support/account-config";

const DAY = 24 * 60 * 60 * 1000;

describe("the store of accounts", () => {
  const folder = useFolder();
  const opened: AccountStore[] = [];
  afterEach(() => Promise.all(opened.splice(0).map(({ release }) => release())));

  async function open(
    account: string,
    keepDays: number,
    inFlows: readonly string[],
    storeFolder = folder(),
  ): Promise<AccountStore> {
    const settings = readStoreSettings(accountConfig({ keepDays, storeFolder }), undefined);
    assert.ok(settings);
    const store = await openStore(account, settings, (id) => inFlows.includes(id));
    opened.push(store);
    return store;
  }

  /** Fills a store that nobody has open with finished messages, each of an account and so many days old. */
  async function fill(messages: readonly (readonly [account: string, days: number])[]): Promise<void> {
    const { engine, release } = await shareSqlite(folder());
    for (const [account, days] of messages) {
      const clock = { now: () => Date.now() - days * DAY, elapsed: () => 0 };
      const store = new Store(engine, { keepTexts: false, clock });
      const owner = `owner-${account}-${days}`;
      await store.instances(owner).start();
      const [id = 0] = await takeJob(store, [{}], { account });
      await store.claims.claim(account, owner, 1);
      await store.settlements.settle(owner, [answered(id, { emitted: true })]);
    }
    await release();
  }

  const jobs = async ({ store }: AccountStore): Promise<string[]> =>
    (await store.history.search({}, null, 100)).map(({ account }) => account).sort();

  it("deletes data of removed accounts after the longest period of open ones", async () => {
    await fill([
      ["short", 9],
      ["long", 19],
      ["gone", 15],
      ["gone", 21],
      ["not-open", 90],
    ]);
    const flows = ["short", "long", "not-open"];
    await open("long", 20, flows);
    const last = await open("short", 10, flows);
    await waitFor("the old message to go", async () => (await jobs(last)).length < 5);
    assert.deepEqual(await jobs(last), ["gone", "long", "not-open", "short"]);
  });

  it("deletes nothing while the flows seem to lack an open account", async () => {
    const asked: string[] = [];
    const retention = {
      accounts: () => Promise.resolve(["a", "b", "c", "d"]),
      deleteRemoved: (account: string, age: number) => {
        asked.push(`${account} ${age}`);
        return Promise.resolve(account === "c");
      },
    };
    const both = new Set([
      { account: "a", keepFor: 1 },
      { account: "b", keepFor: 2 },
    ]);
    assert.equal(await deleteRemoved(retention, both, (id) => id === "a"), false);
    assert.equal(await deleteRemoved(retention, new Set(), () => false), false);
    assert.deepEqual(asked, []);
    assert.equal(await deleteRemoved(retention, both, (id) => "ab".includes(id)), true);
    assert.deepEqual(asked, ["c 2", "d 2"]);
  });

  it("shares a store between accounts with the same folder in any spelling", async () => {
    const base = realpathSync(folder());
    mkdirSync(join(base, "real"));
    symlinkSync(join(base, "real"), join(base, "link"));
    const all = ["a", "b", "c"];
    const first = await open("a", 10, all, join(base, "real", "new"));
    const second = await open("b", 10, all, `${base}/real/../real/new/`);
    const third = await open("c", 10, all, join(base, "link", "new"));
    assert.equal(second.store.engine, first.store.engine);
    assert.equal(third.store.engine, first.store.engine);
    await takeJob(third.store, [{}], { account: "c" });
    assert.deepEqual(await jobs(first), ["c"]);
  });
});
