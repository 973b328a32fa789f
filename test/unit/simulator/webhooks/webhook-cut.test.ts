import assert from "node:assert/strict";
import { pluck, until, useSimulators, useWebhookServer } from "../../../support/simulator";

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
});
