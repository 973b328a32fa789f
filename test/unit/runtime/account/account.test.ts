import assert from "node:assert/strict";
import type { Account } from "../../../../lib/runtime/account/account";
import type { SimulatedService } from "../../../../lib/runtime/account/simulator-link";
import type { AccountConfig } from "../../../../lib/runtime/account/account-settings";
import type { FlowLifecycle } from "../../../../lib/runtime/node-red/flow-lifecycle";
import type { ResultNode } from "../../../../lib/runtime/store/outbox/stored-message";
import type { SetupError } from "../../../../lib/shared/messaging-error";
import { useFolder } from "../../store/use-folder";
import { accountWith, RUNNING } from "./account-under-test";

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
  lifecycle = RUNNING,
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

  it("starts no session when it closes before its first message is sent", async () => {
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
    const node = { trouble: (error: unknown) => troubles.push(error) };
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

  it("sends nothing when its sending hours are invalid", async () => {
    const account = simulatedAccount({ sendingHours: true, sendingDays: "" });
    await assert.rejects(account.access(), { code: "BAD_SETTING" });
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
