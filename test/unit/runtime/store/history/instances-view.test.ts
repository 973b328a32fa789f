import assert from "node:assert/strict";
import { hostname } from "node:os";
import type { AccountStore } from "../../../../../lib/runtime/store/open-store";
import { viewInstances } from "../../../../../lib/runtime/store/history/instances-view";
import type { Engine } from "../../../../../lib/store/engine/engine";
import { Store } from "../../../../../lib/store/store";
import { takeJob } from "../../../store/suite/store-under-test";
import { useAccountStore } from "../account-store";

/** The account's store as one that other processes can use too. */
function sharedBy(account: AccountStore): AccountStore {
  const engine = new Proxy(account.store.engine, {
    get: (target, name) => {
      if (name === "exclusive") return false;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  }) as Engine;
  return { ...account, store: new Store(engine, { keepTexts: false }) };
}

describe("the processes that share an account's store", () => {
  const use = useAccountStore();

  it("lists instances with their load, and marks the responding one", async () => {
    const account = sharedBy(use());
    const { store, instances: me } = account;
    const other = store.instances("other");
    await other.start();
    await takeJob(store, [{}, {}], { resultOwner: me.id });
    await store.claims.claim("a1", "other", 1);
    const { instances, complete } = await viewInstances(account);
    assert.equal(complete, true);
    assert.deepEqual(
      (instances ?? [])
        .map(({ startedAt, quietFor, ...rest }) => {
          assert.match(startedAt, /^20\d\d-.*Z$/);
          assert.ok(quietFor >= 0 && quietFor < 10_000, String(quietFor));
          return rest;
        })
        .sort((one) => (one.mine ? -1 : 1)),
      [
        { host: hostname(), process: process.pid, mine: true, state: "alive", sending: 0, taken: 1 },
        { host: hostname(), process: process.pid, mine: false, state: "alive", sending: 1, taken: 0 },
      ],
    );
    assert.ok(!JSON.stringify(instances).includes(me.id), "ids of instances are of no use to the editor");
  });
});
