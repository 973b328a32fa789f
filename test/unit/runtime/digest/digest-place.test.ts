import assert from "node:assert/strict";
import type { Account } from "../../../../lib/runtime/account/account";
import { CurrentPlace } from "../../../../lib/runtime/digest/digest-place";
import type { AccountStore } from "../../../../lib/runtime/store/open-store";
import { SetupError } from "../../../../lib/shared/messaging-error";
import type { StoreError } from "../../../../lib/store/engine/store-error";

/** A store that counts who uses it. */
function countedStore() {
  const users = { retained: 0, watching: 0 };
  const store = {
    retain: () => {
      users.retained++;
      return async () => void users.retained--;
    },
    watch: () => {
      users.watching++;
      return () => void users.watching--;
    },
    store: { engine: { exclusive: true }, digests: () => ({}) },
    instances: { id: "me", mayLeave: true },
    settings: { snapshotLimit: 1 },
    account: "a",
  } as unknown as AccountStore;
  return { users, store };
}

const placeOf = (store: () => Promise<AccountStore | null>): CurrentPlace =>
  new CurrentPlace({ id: "a", store } as unknown as Account, { look: () => {} });

describe("the place of digests", () => {
  it("does not keep a store that opens only after it was closed", async () => {
    const { users, store } = countedStore();
    let open: (store: AccountStore) => void = () => {};
    const place = placeOf(
      () =>
        new Promise((resolve) => {
          open = resolve;
        }),
    );
    const getting = place.get();
    await place.close();
    open(store);
    await assert.rejects(getting, (error: StoreError) => error.code === "STORE_CLOSED");
    assert.deepEqual(users, { retained: 0, watching: 0 });
  });

  it("stays what it was while its node ends later than the account, and gives the store back then", async () => {
    const { users, store } = countedStore();
    let isOpen = true;
    const place = placeOf(async () => {
      if (!isOpen) {
        throw new SetupError("ACCOUNT_CLOSED", "closed");
      }
      return store;
    });
    const before = await place.get();
    isOpen = false;
    assert.equal(await place.get(), before);
    assert.deepEqual(users, { retained: 1, watching: 1 });
    await place.close();
    assert.deepEqual(users, { retained: 0, watching: 0 });
  });
});
