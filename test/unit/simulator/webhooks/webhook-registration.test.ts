import assert from "node:assert/strict";
import type { NewWebhook } from "../../../../simulator/index";
import { assertFields, pluck, until, useFreshSimulator, VirtualClock } from "../../../support/simulator";
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

  it("drops, and shows, what nobody is registered for", () => {
    register("inbound");
    const ids = { transferId: "t", clientMessageId: "c" };
    sim.main.deliver("status", ids);
    const { at: _at, ...delivery } = sim.main.deliveries[0]!;
    assert.deepEqual(delivery, {
      ...{ id: 1, webhook: null, kind: "status", event: "raw", payload: ids, ...ids },
      ...{ state: "dropped", dropped: "nobody-registered", events: 1, tries: 0, attempts: [], nextTry: null },
    });
    assert.equal(sim.main.pendingDeliveries, 0);
  });

  it("forgets what is waiting, under way and queued when a webhook goes", async () => {
    await sim.restart({ clock, webhooks: { connections: 1 } });
    const handle = register("inbound");
    await deliverInVain(1);
    let gone = false;
    webhook.answer = (response) => response.on("close", () => (gone = true));
    sim.main.deliver("inbound", 2);
    sim.main.deliver("inbound", 3);
    await until(() => webhook.calls.length === 2);
    assert.equal(sim.main.pendingDeliveries, 3);
    handle.unregister();
    assert.deepEqual(states(), Array(3).fill(["dropped", "unregistered"]));
    assert.deepEqual([sim.main.pendingDeliveries, clock.timers], [0, 0]);
    await until(() => gone);
    sim.main.deliver("inbound", 4);
    assert.deepEqual(states()[3], ["dropped", "nobody-registered"]);
    handle.unregister();
    assert.deepEqual(sim.main.webhooks, []);
  });

  it("goes on for one that is kept, and a new registration takes over with its headers", async () => {
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

  it("can still end one that was kept", () => {
    const handle = register("inbound");
    handle.unregister({ keep: true });
    handle.unregister();
    assert.deepEqual(sim.main.webhooks, []);
  });

  it("keeps apart the same address for both kinds", () => {
    const handle = register("inbound");
    register("status");
    handle.unregister();
    assert.deepEqual(pluck(sim.main.webhooks, "kind"), ["status"]);
  });

  it("keeps accounts apart", () => {
    register("inbound");
    const other = sim.account("other");
    assert.deepEqual(other.webhooks, []);
    other.deliver("inbound", 1);
    assert.equal(other.deliveries[0]?.dropped, "nobody-registered");
    assert.equal(sim.main.deliveries.length, 0);
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

  it("stays through a reset, which drops what is on its way", async () => {
    register("inbound");
    await deliverInVain(1);
    sim.main.reset();
    assertFields(sim.main, { pendingDeliveries: 0, deliveryCount: 0 });
    assert.equal(clock.timers, 0);
    webhook.answer = ACKNOWLEDGE;
    sim.main.deliver("inbound", 2);
    await sim.settled();
    assert.deepEqual(pluck(webhook.calls, "body"), ["1", "2"]);
  });

  it("tells of each try, and of what is dropped", async () => {
    const told: string[] = [];
    await sim.restart({
      clock,
      onDelivery: ({ id, state, tries: count }, account) =>
        told.push(`${account.url === sim.url} ${id} ${state} ${count}`),
    });
    sim.main.deliver("status", 1);
    register("inbound");
    await deliverInVain(1, 1);
    webhook.answer = ACKNOWLEDGE;
    clock.next();
    await sim.settled();
    assert.deepEqual(told, ["true 1 dropped 0", "true 2 waiting 1", "true 2 acknowledged 2"]);
  });

  const good = { kind: "status", url: "http://127.0.0.1/" };
  const wrong: Record<string, unknown> = {
    "no object": good.url,
    "no kind": { url: good.url },
    "another kind": { ...good, kind: "report" },
    "no address": { kind: "status" },
    "a relative address": { ...good, url: "/hook" },
    "another scheme": { ...good, url: "ftp://127.0.0.1/" },
    "another field": { ...good, secret: "x" },
    "a header with a line break": { ...good, headers: { a: "b\nc: d" } },
    "a header that is none": { ...good, headers: { "a b": "c" } },
    "a header of the event": { ...good, headers: { "Content-Type": "a/b" } },
    "a label that is no text": { ...good, label: 1 },
    "a fraction for cuts": { ...good, cutEvery: 0.5 },
  };
  for (const [name, value] of Object.entries(wrong)) {
    it(`refuses ${name}`, () => {
      assert.throws(() => sim.main.registerWebhook(value as NewWebhook), TypeError);
      assert.deepEqual(sim.main.webhooks, []);
    });
  }

  it("refuses the hundred and first", () => {
    const nth = (at: number) => register("status", { url: webhook.url(`/${at}`) });
    for (let at = 0; at < 100; at += 1) nth(at);
    assert.throws(() => nth(100), /100 webhooks already/);
    nth(99);
    assert.equal(sim.main.webhooks.length, 100);
  });
});
