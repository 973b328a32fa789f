import assert from "node:assert/strict";
import { ACKNOWLEDGE, pluck, until, useSimulators, useWebhookServer } from "../../../support/simulator";

describe("simulator: cut calls to a webhook", () => {
  const start = useSimulators();
  const webhook = useWebhookServer();

  it("are every n-th, were written as a whole, and count as not acknowledged", async () => {
    const sim = await start({ webhooks: { firstRetry: 1, connections: 1, cutEvery: 3 } });
    sim.main.registerWebhook({ kind: "inbound", url: webhook.url() });
    sim.main.receive({ sender: "+41790000001", content: "x".repeat(200_000), repeat: 20 });
    await sim.settled();
    const tries = sim.main.deliveries.flatMap(({ attempts }) => attempts);
    // 20 that got through, and every third of all tries did not.
    assert.deepEqual([tries.length, tries.filter(({ problem }) => problem === "cut").length], [29, 9]);
    assert.ok(sim.main.deliveries.every(({ state }) => state === "acknowledged"));
    await until(() => webhook.calls.length === 29);
    assert.equal(new Set(pluck(webhook.events, "content")).size, 20);
  });

  it("are cut by turns at once and at the answer, which counts for nothing", async () => {
    const { main } = await start({ webhooks: { firstRetry: 1, longestRetry: 1, timeout: 50 } });
    main.registerWebhook({ kind: "status", url: webhook.url(), cutEvery: 1 });
    webhook.answer = () => {};
    main.deliver("status", {});
    const problems = () => pluck(main.deliveries[0]?.attempts ?? [], "problem");
    await until(() => problems().length >= 4);
    // Without an answer there is nothing at which the second kind could cut.
    assert.deepEqual(problems().slice(0, 4), ["cut", "timeout", "cut", "timeout"]);
    webhook.answer = ACKNOWLEDGE;
    await until(() => problems().length >= 10);
    assert.deepEqual([...new Set(problems().slice(6))], ["cut"]);
    assert.equal(main.deliveries[0]?.state, "waiting");
  });

  it("are none where the webhook itself says so", async () => {
    const sim = await start({ webhooks: { firstRetry: 1, cutEvery: 1 } });
    sim.main.registerWebhook({ kind: "status", url: webhook.url(), cutEvery: 0 });
    sim.main.deliver("status", {});
    await sim.settled();
    const attempts = sim.main.deliveries.map((delivery) => pluck(delivery.attempts, "problem"));
    assert.deepEqual(attempts, [[null]]);
  });
});
