import assert from "node:assert/strict";
import type { NewWebhook } from "../../../../simulator/index";
import { until } from "../raw-request";
import { VirtualClock } from "../virtual-clock";
import { ACKNOWLEDGE, answering, useWebhookServer } from "./webhook-server";
import { useFreshSimulator } from "../use-simulator";

describe("simulator: registration of webhooks", () => {
  let clock: VirtualClock;
  const webhook = useWebhookServer();
  const simulator = useFreshSimulator(() => {
    clock = new VirtualClock();
    return { clock };
  });

  const states = () => simulator.main.deliveries.map(({ state, dropped }) => [state, dropped]);
  const tries = (at = 0) => simulator.main.deliveries[at]?.tries ?? 0;

  it("sends each event to every webhook of its kind", async () => {
    for (const path of ["/one", "/other"])
      simulator.main.registerWebhook({ kind: "inbound", url: webhook.url(path) });
    simulator.main.registerWebhook({ kind: "status", url: webhook.url("/status") });
    assert.deepEqual(simulator.main.deliver("inbound", { n: 1 }), [1, 2]);
    assert.deepEqual(simulator.main.deliver("status", { n: 2 }), [3]);
    await until(() => simulator.main.pendingDeliveries === 0);
    const calls = webhook.calls.map(({ path, body }) => `${path} ${body}`);
    assert.deepEqual(calls.sort(), ['/one {"n":1}', '/other {"n":1}', '/status {"n":2}']);
  });

  it("drops, and shows, what nobody is registered for", () => {
    simulator.main.registerWebhook({ kind: "inbound", url: webhook.url() });
    simulator.main.deliver("status", { transferId: "t", clientMessageId: "c" });
    const [delivery] = simulator.main.deliveries;
    assert.deepEqual(
      { ...delivery, at: 0 },
      {
        id: 1,
        at: 0,
        webhook: null,
        kind: "status",
        event: "raw",
        payload: { transferId: "t", clientMessageId: "c" },
        transferId: "t",
        clientMessageId: "c",
        state: "dropped",
        dropped: "nobody-registered",
        events: 1,
        tries: 0,
        attempts: [],
        nextTry: null,
      },
    );
    assert.equal(simulator.main.pendingDeliveries, 0);
  });

  it("forgets what is waiting, under way and queued when a webhook goes", async () => {
    await simulator.restart({ clock, webhooks: { connections: 1 } });
    const handle = simulator.main.registerWebhook({ kind: "inbound", url: webhook.url() });
    webhook.answer = answering(503, "");
    simulator.main.deliver("inbound", 1);
    await until(() => tries() === 1);
    let gone = false;
    webhook.answer = (response) => response.on("close", () => (gone = true));
    simulator.main.deliver("inbound", 2);
    simulator.main.deliver("inbound", 3);
    await until(() => webhook.calls.length === 2);
    assert.equal(simulator.main.pendingDeliveries, 3);
    handle.unregister();
    assert.deepEqual(states(), Array(3).fill(["dropped", "unregistered"]));
    assert.deepEqual([simulator.main.pendingDeliveries, clock.timers], [0, 0]);
    await until(() => gone);
    simulator.main.deliver("inbound", 4);
    assert.deepEqual(states()[3], ["dropped", "nobody-registered"]);
    handle.unregister();
    assert.deepEqual(simulator.main.webhooks, []);
  });

  it("goes on for one that is kept, and a new registration takes over with its headers", async () => {
    const registration = { kind: "inbound", url: webhook.url() } as const;
    const old = simulator.main.registerWebhook({ ...registration, headers: { "x-own": "old" } });
    webhook.answer = answering(503, "");
    simulator.main.deliver("inbound", 1);
    await until(() => tries() === 1);
    old.unregister({ keep: true });
    assert.equal(simulator.main.webhooks[0]?.kept, true);
    simulator.main.deliver("inbound", 2);
    await until(() => tries(1) === 1);
    clock.next();
    await until(() => tries() === 2);

    simulator.main.registerWebhook({ ...registration, headers: { "x-own": "new" }, label: "again" });
    assert.deepEqual(
      simulator.main.webhooks.map(({ kept, label, pending }) => [kept, label, pending]),
      [[false, "again", 2]],
    );
    // It comes too late to be heard.
    old.unregister();
    webhook.answer = ACKNOWLEDGE;
    while (clock.timers > 0) clock.next();
    await until(() => simulator.main.pendingDeliveries === 0);
    assert.deepEqual(states(), Array(2).fill(["acknowledged", null]));
    assert.deepEqual(webhook.calls.map(({ headers, body }) => `${body} ${headers["x-own"]}`).sort(), [
      "1 new",
      "1 old",
      "1 old",
      "2 new",
      "2 old",
    ]);
  });

  it("can still end one that was kept", () => {
    const handle = simulator.main.registerWebhook({ kind: "inbound", url: webhook.url() });
    handle.unregister({ keep: true });
    handle.unregister();
    assert.deepEqual(simulator.main.webhooks, []);
  });

  it("keeps apart the same address for both kinds", () => {
    const handle = simulator.main.registerWebhook({ kind: "inbound", url: webhook.url() });
    simulator.main.registerWebhook({ kind: "status", url: webhook.url() });
    handle.unregister();
    assert.deepEqual(
      simulator.main.webhooks.map(({ kind }) => kind),
      ["status"],
    );
  });

  it("keeps accounts apart", () => {
    simulator.main.registerWebhook({ kind: "inbound", url: webhook.url() });
    assert.deepEqual(simulator.account("other").webhooks, []);
    simulator.account("other").deliver("inbound", 1);
    assert.equal(simulator.account("other").deliveries[0]?.dropped, "nobody-registered");
    assert.equal(simulator.main.deliveries.length, 0);
  });

  it("shows no secret in list and log", async () => {
    const url = webhook
      .url("/path?secret=s3cret-1&b=s3cret-2&s3cret-3")
      .replace("//", "//s3cret-4:s3cret-5@");
    simulator.main.registerWebhook({ kind: "inbound", url, headers: { "x-own": "s3cret-6" } });
    simulator.main.deliver("inbound", 1);
    await until(() => simulator.main.pendingDeliveries === 0);
    assert.equal(webhook.calls[0]?.path, "/path?secret=s3cret-1&b=s3cret-2&s3cret-3");
    assert.doesNotMatch(JSON.stringify([simulator.main.webhooks, simulator.main.deliveries]), /s3cret/);
    const { host } = new URL(url);
    assert.equal(simulator.main.deliveries[0]?.webhook, `http://***@${host}/path?secret=***&b=***&***`);
    assert.deepEqual(simulator.main.webhooks[0]?.headers, { "x-own": "***" });
  });

  it("stays through a reset, which drops what is on its way", async () => {
    simulator.main.registerWebhook({ kind: "inbound", url: webhook.url() });
    webhook.answer = answering(503, "");
    simulator.main.deliver("inbound", 1);
    await until(() => tries() === 1);
    simulator.main.reset();
    assert.deepEqual(
      [simulator.main.pendingDeliveries, clock.timers, simulator.main.deliveryCount],
      [0, 0, 0],
    );
    webhook.answer = ACKNOWLEDGE;
    simulator.main.deliver("inbound", 2);
    await until(() => simulator.main.pendingDeliveries === 0);
    assert.deepEqual(
      webhook.calls.map(({ body }) => body),
      ["1", "2"],
    );
  });

  it("tells of each try, and of what is dropped", async () => {
    const told: string[] = [];
    await simulator.restart({
      clock,
      onDelivery: ({ id, state, tries: count }, account) =>
        told.push(`${account.url === simulator.url} ${id} ${state} ${count}`),
    });
    simulator.main.deliver("status", 1);
    simulator.main.registerWebhook({ kind: "inbound", url: webhook.url() });
    webhook.answer = answering(503, "");
    simulator.main.deliver("inbound", 1);
    await until(() => tries(1) === 1);
    webhook.answer = ACKNOWLEDGE;
    clock.next();
    await until(() => simulator.main.pendingDeliveries === 0);
    assert.deepEqual(told, ["true 1 dropped 0", "true 2 waiting 1", "true 2 acknowledged 2"]);
  });

  const wrong: Record<string, unknown> = {
    "no object": "http://127.0.0.1/",
    "no kind": { url: "http://127.0.0.1/" },
    "another kind": { kind: "report", url: "http://127.0.0.1/" },
    "no address": { kind: "status" },
    "a relative address": { kind: "status", url: "/hook" },
    "another scheme": { kind: "status", url: "ftp://127.0.0.1/" },
    "another field": { kind: "status", url: "http://127.0.0.1/", secret: "x" },
    "a header with a line break": { kind: "status", url: "http://127.0.0.1/", headers: { a: "b\nc: d" } },
    "a header that is none": { kind: "status", url: "http://127.0.0.1/", headers: { "a b": "c" } },
    "a header of the event": { kind: "status", url: "http://127.0.0.1/", headers: { "Content-Type": "a/b" } },
    "a label that is no text": { kind: "status", url: "http://127.0.0.1/", label: 1 },
    "a fraction for cuts": { kind: "status", url: "http://127.0.0.1/", cutEvery: 0.5 },
  };
  for (const [name, value] of Object.entries(wrong)) {
    it(`refuses ${name}`, () => {
      assert.throws(() => simulator.main.registerWebhook(value as NewWebhook), TypeError);
      assert.deepEqual(simulator.main.webhooks, []);
    });
  }

  it("refuses the hundred and first", () => {
    const register = (at: number) =>
      simulator.main.registerWebhook({ kind: "status", url: webhook.url(`/${at}`) });
    for (let at = 0; at < 100; at += 1) register(at);
    assert.throws(() => register(100), /100 webhooks already/);
    register(99);
    assert.equal(simulator.main.webhooks.length, 100);
  });
});
