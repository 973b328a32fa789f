import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../../../simulator/index";
import { until } from "../raw-request";
import { ACKNOWLEDGE, WebhookServer } from "./webhook-server";

describe("simulator: cut calls to a webhook", () => {
  let simulator: Simulator;
  let webhook: WebhookServer;

  beforeEach(async () => {
    webhook = await WebhookServer.start();
  });
  afterEach(async () => {
    await simulator.close();
    await webhook.close();
  });

  const problems = () =>
    simulator.main.deliveries.map(({ attempts }) => attempts.map(({ problem }) => problem));

  it("are every n-th, were written as a whole, and count as not acknowledged", async () => {
    simulator = await startSimulator({ webhooks: { firstRetry: 1, connections: 1, cutEvery: 3 } });
    simulator.main.registerWebhook({ kind: "inbound", url: webhook.url() });
    simulator.main.receive({ sender: "+41790000001", content: "x".repeat(200_000), repeat: 20 });
    await until(() => simulator.main.pendingDeliveries === 0);
    const tries = simulator.main.deliveries.flatMap(({ attempts }) => attempts);
    // 20 that got through, and every third of all tries did not.
    assert.deepEqual([tries.length, tries.filter(({ problem }) => problem === "cut").length], [29, 9]);
    assert.ok(simulator.main.deliveries.every(({ state }) => state === "acknowledged"));
    await until(() => webhook.calls.length === 29);
    assert.equal(new Set(webhook.events.map(({ content }) => content)).size, 20);
  });

  it("are cut by turns at once and at the answer, which counts for nothing", async () => {
    simulator = await startSimulator({ webhooks: { firstRetry: 1, longestRetry: 1, timeout: 50 } });
    simulator.main.registerWebhook({ kind: "status", url: webhook.url(), cutEvery: 1 });
    webhook.answer = () => {};
    simulator.main.deliver("status", {});
    const tries = () => simulator.main.deliveries[0]?.tries ?? 0;
    await until(() => tries() >= 4);
    // Without an answer there is nothing at which the second kind could cut.
    assert.deepEqual(problems()[0]?.slice(0, 4), ["cut", "timeout", "cut", "timeout"]);
    webhook.answer = ACKNOWLEDGE;
    await until(() => tries() >= 10);
    assert.deepEqual([...new Set(problems()[0]?.slice(6))], ["cut"]);
    assert.equal(simulator.main.deliveries[0]?.state, "waiting");
  });

  it("are none where the webhook itself says so", async () => {
    simulator = await startSimulator({ webhooks: { firstRetry: 1, cutEvery: 1 } });
    simulator.main.registerWebhook({ kind: "status", url: webhook.url(), cutEvery: 0 });
    simulator.main.deliver("status", {});
    await until(() => simulator.main.pendingDeliveries === 0);
    assert.deepEqual(problems(), [[null]]);
  });
});
