import assert from "node:assert/strict";
import type { Account } from "../../../../lib/runtime/account/account";
import type { SimulatedService } from "../../../../lib/runtime/account/simulator-link";
import type { AccountConfig } from "../../../../lib/runtime/account/account-settings";
import type { FlowLifecycle } from "../../../../lib/runtime/node-red/flow-lifecycle";
import type { AccountStore } from "../../../../lib/runtime/store/open-store";
import type { ResultNode } from "../../../../lib/runtime/store/outbox/stored-message";
import type { SetupError } from "../../../../lib/shared/messaging-error";
import { call } from "../../../../lib/store/engine/query";
import { shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { dayOf } from "../../../../lib/store/history/days-of-zone";
import { statement } from "../../../../lib/store/schema/statement";
import { Store } from "../../../../lib/store/store";
import { waitFor } from "../../../support/wait-for";
import { takeJob } from "../../store/suite/store-under-test";
import { useFolder } from "../../store/use-folder";
import { accountWith } from "./account-under-test";

const COUNTED = statement("test_account_days")`SELECT starts FROM day_counts WHERE counts IS NOT NULL`;
const SKIPPED = statement("test_account_skipped")`UPDATE requests SET state = 'emitted', outcome = 'skipped'`;

const CREDENTIALS = {
  username: "user",
  password: "password",
  clientId: "client",
  clientSecret: "secret",
  applicationId: "123e4567-e89b-12d3-a456-426614174000",
};

const simulator = { url: "http://127.0.0.1:1", credentials: CREDENTIALS, release: () => {} };
const simulatedAccount = (
  config: Partial<AccountConfig> = {},
  lifecycle = {} as FlowLifecycle,
  acquired = Promise.resolve(),
): Account =>
  accountWith({
    config: { keepMessages: "memory", ...config, service: "simulator" },
    lifecycle,
    acquire: () => acquired.then(() => simulator as unknown as SimulatedService),
  });

describe("account with the built-in simulator", () => {
  const folder = useFolder();

  for (const [end, finish] of [
    ["is registered", (resolve: () => void) => resolve()],
    [
      "cannot be registered",
      (_resolve: () => void, reject: (error: Error) => void) => reject(new Error("no")),
    ],
  ] as const) {
    it(`lets its first message wait until a webhook ${end}`, async () => {
      const account = simulatedAccount();
      const { promise, resolve, reject } = deferred();
      account.simulator.awaitWebhook(promise);
      let open = false;
      const access = account.access().then(() => {
        open = true;
      });
      await turns();
      assert.equal(open, false);
      finish(resolve, reject);
      await access;
      await account.close(0);
    });
  }

  it("begins no session that nobody would end, where it closes before its first message leaves", async () => {
    const started = new Set<() => void>();
    const onStarted = (listener: () => void) => {
      started.add(listener);
      return () => void started.delete(listener);
    };
    const lifecycle = { running: true, onStarted } as unknown as FlowLifecycle;
    const config = { keepMessages: "computer", storeFolder: folder() } as const;
    const account = simulatedAccount(config, lifecycle);
    const { promise, resolve } = deferred();
    account.simulator.awaitWebhook(promise);
    const access = account.access();
    await turns();
    await account.close(0);
    resolve();
    const late = await access.catch((error: unknown) => error);

    const successor = simulatedAccount(config, lifecycle);
    const { outbox } = await successor.access();
    const troubles: unknown[] = [];
    const node = { waiting: () => {}, trouble: (error: unknown) => troubles.push(error) };
    const detach = outbox?.attach("n1", node as unknown as ResultNode);
    for (const listener of started) {
      listener();
    }
    await successor.store();
    detach?.();
    await successor.close(0);
    assert.deepEqual(troubles, []);
    assert.equal((late as SetupError).code, "ACCOUNT_CLOSED");
    assert.equal(started.size, 0);
  });

  it("gives its send nodes its sending hours, if it has any", async () => {
    const account = simulatedAccount({ sendingHours: true, timeZone: "Asia/Tokyo", sendingBy: "account" });
    const { hours } = await account.access();
    assert.equal(hours?.zoneOf("41791234567"), "Asia/Tokyo");
    const without = simulatedAccount();
    assert.equal((await without.access()).hours, null);
    await Promise.all([account.close(0), without.close(0)]);
  });

  it("lets nobody send with sending hours that cannot be read", async () => {
    const account = simulatedAccount({ sendingHours: true, sendingDays: "" });
    await assert.rejects(account.access(), { code: "BAD_SETTING" });
    await account.close(0);
  });
});

describe("an account that keeps messages", () => {
  const folder = useFolder();
  const realTimeout = globalThis.setTimeout;
  before(() => {
    const shorter = (call: () => void, ms = 0) => realTimeout(call, ms <= 60_000 ? ms / 100 : ms);
    globalThis.setTimeout = shorter as typeof setTimeout;
  });
  after(() => {
    globalThis.setTimeout = realTimeout;
  });

  it("counts the days of its time zone for reports before anybody asks for one", async () => {
    const { engine, release } = await shareSqlite(folder());
    const taken = Date.now() - 3 * 86_400_000;
    const clock = { now: () => taken, elapsed: () => 0 };
    await takeJob(new Store(engine, { keepTexts: false, clock }), 1, { account: "account" });
    await engine.run([call(SKIPPED)]);
    const account = simulatedAccount({
      ...{ keepMessages: "computer", storeFolder: folder(), timeZone: "Asia/Tokyo" },
    });
    await account.store();
    // A look that is written down would be a store that is never at rest.
    const counted = await waitFor("a day", async () => (await engine.read([call(COUNTED)]))[0]?.[0]);
    assert.equal(Number(counted.starts), dayOf(taken, "Asia/Tokyo").starts);
    await account.close(0);
    await release();
  });
});

describe("the stop of an account that closes because it changes its place", () => {
  const folders = [useFolder(), useFolder()] as const;

  it("is no longer told: what is stopped or goes on elsewhere is not changed by it, nor the place that it leaves", async () => {
    const [leaving, arriving] = folders.map((folder) => ({
      keepMessages: "computer" as const,
      storeFolder: folder(),
    }));
    const { promise, resolve } = deferred();
    const former = simulatedAccount(leaving, undefined, promise);
    const { store: left } = (await former.store()) as AccountStore;
    await former.stop.stop(await former.store());
    // Something is under way, so that it takes a while to close.
    const underWay = former.access().catch(() => {});
    await turns();
    const closing = former.close(0);
    const account = simulatedAccount(arriving);
    const store = (await account.store()) as AccountStore;
    assert.notEqual(await store.store.queue.pausedSince("account"), null);

    await account.stop.goOn(store);
    await left.queue.pause("account");
    // Whatever that brings about asks the store before this.
    for (let n = 0; n < 5; n++) await left.queue.pausedSince("account");
    assert.equal(account.stop.isOn, false);

    await account.stop.stop(store);
    await left.queue.resume("account");
    for (let n = 0; n < 5; n++) await left.queue.pausedSince("account");
    assert.equal(await left.queue.pausedSince("account"), null);
    assert.equal(account.stop.isOn, true);

    resolve();
    await Promise.all([underWay, closing]);
    await account.stop.goOn(store);
    await account.close(0);
  });
});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((next) => setImmediate(next));
  }
}

function deferred() {
  let resolve = (): void => {};
  let reject = (_error: Error): void => {};
  const promise = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve: () => resolve(), reject: (error: Error) => reject(error) };
}
