import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { BuiltInSimulator } from "../../../../simulator/built-in";
import { answering, until, useSimulators, useWebhookServer, VirtualClock } from "../../../support/simulator";

describe("simulator: the end of calls to webhooks", () => {
  const webhook = useWebhookServer();
  const start = useSimulators();

  it("comes with close, which leaves no timer, no connection and no event behind", async () => {
    const clock = new VirtualClock();
    const sim = await start({ clock, webhooks: { connections: 2 } });
    const account = sim.account("a");
    account.registerWebhook({ kind: "inbound", url: webhook.url() });
    webhook.answer = answering(503);
    account.deliver("inbound", "rests");
    await until(() => account.deliveries[0]?.tries === 1);
    let closed = 0;
    webhook.answer = (response) => response.on("close", () => closed++);
    for (const each of ["under way", "under way too", "queued"]) account.deliver("inbound", each);
    await until(() => webhook.calls.length === 3);
    assert.deepEqual([account.pendingDeliveries, clock.timers], [4, 1]);
    await sim.close();
    assert.deepEqual([account.pendingDeliveries, clock.timers], [0, 0]);
    await until(() => closed === 2);
    assert.deepEqual(account.deliver("inbound", "late"), []);
    assert.deepEqual([account.pendingDeliveries, webhook.calls.length], [0, 3]);
  });

  it("comes with the end of the built-in simulator, not with the last release", async () => {
    const builtIn = new BuiltInSimulator(() => ({ webhooks: { firstRetry: 5, longestRetry: 5 } }), 2_000);
    webhook.answer = answering(503);
    const { account, release } = await builtIn.acquire("a");
    account.registerWebhook({ kind: "inbound", url: webhook.url() });
    account.deliver("inbound", 1);
    release();
    // A busy computer may take long for a call: one after the release is enough.
    const before = webhook.calls.length;
    await until(() => webhook.calls.length > before);
    await until(() => account.pendingDeliveries === 0);
    assert.equal(account.deliveries[0]?.state, "waiting");
  });

  /** The process lives on by its line to this one, until a try has ended or this one says so. */
  const program = (url: string) => `
    const { startSimulator } = require("./simulator/index.ts");
    startSimulator({ onDelivery: () => process.disconnect() }).then((simulator) => {
      simulator.unref();
      simulator.main.registerWebhook({ kind: "inbound", url: "${url}" });
      simulator.main.deliver("inbound", 1);
    });
    process.once("message", () => process.disconnect());
  `;

  for (const name of ["rests", "is under way"]) {
    it(`lets the process end while an event ${name}`, async () => {
      webhook.answer = name === "rests" ? answering(503) : () => {};
      const parameters = [...process.execArgv, "--eval", program(webhook.url())];
      const child = spawn(process.execPath, parameters, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
      const ended = once(child, "exit");
      await until(() => webhook.calls.length === 1);
      if (name === "is under way") child.send("end");
      assert.deepEqual(await ended, [0, null]);
    });
  }
});
