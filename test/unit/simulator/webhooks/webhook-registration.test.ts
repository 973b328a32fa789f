import assert from "node:assert/strict";
import type { NewWebhook } from "../../../../simulator/index";
import { pluck, until, useFreshSimulator, VirtualClock } from "../../../support/simulator";
import { ACKNOWLEDGE, answering, useWebhookServer } from "../../../support/simulator/webhook-server";

describe("simulator: registration of webhooks", () => {
  let clock: VirtualClock;
  const webhook = useWebhookServer();
  const sim = useFreshSimulator(() => {
    clock = new VirtualClock();
    return { clock };
  });

  const register = (kind: "inbound" | "status", fields: Partial<NewWebhook> = {}, account = sim.main) =>
    account.registerWebhook({ kind, url: webhook.url(), ...fields });
  const states = () => pluck(sim.main.deliveries, "state", "dropped");
  const tries = (at = 0) => sim.main.deliveries[at]?.tries ?? 0;
  /** An inbound event that the webhook does not acknowledge at the first try. */
  const deliverInVain = async (payload: unknown, at = 0) => {
    webhook.answer = answering(503);
    sim.main.deliver("inbound", payload);
    await until(() => tries(at) === 1);
  };

  it("sends each event to every webhook of its kind", async () => {
    for (const path of ["/one", "/other"]) register("inbound", { url: webhook.url(path) });
    register("status", { url: webhook.url("/status") });
    assert.deepEqual(sim.main.deliver("inbound", { n: 1 }), [1, 2]);
    assert.deepEqual(sim.main.deliver("status", { n: 2 }), [3]);
    await sim.settled();
    assert.deepEqual(webhook.lines, ['/one {"n":1}', '/other {"n":1}', '/status {"n":2}']);
  });

  it("continues for a kept webhook until a new registration replaces it", async () => {
    const old = register("inbound", { headers: { "x-own": "old" } });
    await deliverInVain(1);
    old.unregister({ keep: true });
    assert.equal(sim.main.webhooks[0]?.kept, true);
    await deliverInVain(2, 1);
    clock.next();
    await until(() => tries() === 2);

    register("inbound", { headers: { "x-own": "new" }, label: "again" });
    assert.deepEqual(pluck(sim.main.webhooks, "kept", "label", "pending"), [[false, "again", 2]]);
    // It comes too late to be heard.
    old.unregister();
    webhook.answer = ACKNOWLEDGE;
    while (clock.timers > 0) clock.next();
    await sim.settled();
    assert.deepEqual(states(), Array(2).fill(["acknowledged", null]));
    const calls = webhook.calls.map(({ headers, body }) => `${body} ${headers["x-own"]}`);
    assert.deepEqual(calls.sort(), ["1 new", "1 old", "1 old", "2 new", "2 old"]);
  });

  it("shows no secret in list and log", async () => {
    const path = "/path?secret=s3cret-1&b=s3cret-2&s3cret-3";
    const url = webhook.url(path).replace("//", "//s3cret-4:s3cret-5@");
    register("inbound", { url, headers: { "x-own": "s3cret-6" } });
    sim.main.deliver("inbound", 1);
    await sim.settled();
    assert.equal(webhook.calls[0]?.path, path);
    assert.doesNotMatch(JSON.stringify([sim.main.webhooks, sim.main.deliveries]), /s3cret/);
    const masked = `http://***@${new URL(url).host}/path?secret=***&b=***&***`;
    assert.equal(sim.main.deliveries[0]?.webhook, masked);
    assert.deepEqual(sim.main.webhooks[0]?.headers, { "x-own": "***" });
  });
});
