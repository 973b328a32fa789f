import assert from "node:assert/strict";
import { assertFields, pluck, until, useFreshSimulator } from "../../../support/simulator";
import { answering, useWebhookServer } from "../../../support/simulator/webhook-server";

describe("simulator: controls of webhooks", () => {
  const sim = useFreshSimulator();
  const webhook = useWebhookServer();
  const post = (path: string, value?: unknown) => sim.control("POST", path, value);
  const remove = (path: string) => sim.control("DELETE", path);
  const shown = async (path: string, client: Pick<typeof sim, "control"> = sim) =>
    (await client.control("GET", path)).value;

  it("register, show and forget webhooks, of each account its own", async () => {
    const url = webhook.url("/?secret=s3cret");
    const registered = { kind: "inbound", label: "a", cutEvery: 3 } as const;
    const added = await post("webhooks", { ...registered, url, headers: { "x-own": "s3cret" } });
    assertFields(added, { httpStatus: 201, value: { id: 1 } });
    const masked = { url: webhook.url("/?secret=***"), headers: { "x-own": "***" } };
    assert.deepEqual(await shown("webhooks"), [{ id: 1, ...registered, ...masked, kept: false, pending: 0 }]);
    assert.deepEqual(await shown("webhooks", sim.at("b")), []);
    sim.main.registerWebhook({ kind: "status", url });
    assertFields(await remove("webhooks"), { value: { removed: 1 } });
    assert.deepEqual(pluck(sim.main.webhooks, "id"), [2]);
    assert.equal((await remove("webhooks?id=1")).httpStatus, 404);
    assert.equal((await remove("webhooks?all")).httpStatus, 400);
    assertFields(await remove("webhooks?id=2"), { value: { removed: 1 } });
    assert.deepEqual(sim.main.webhooks, []);
  });

  it("say what is wrong with a webhook", async () => {
    const error = "webhook: url must be an http or https URL";
    assertFields(await post("webhooks", { kind: "inbound", url: "hook" }), {
      httpStatus: 400,
      value: { error },
    });
  });

  it("forget their webhooks at a reset, and leave those of a program", async () => {
    await post("webhooks", { kind: "inbound", url: webhook.url("/control") });
    sim.main.registerWebhook({ kind: "inbound", url: webhook.url("/program") });
    await post("webhooks", { kind: "inbound", url: webhook.url("/program") });
    await post("reset");
    assert.deepEqual(pluck(sim.main.webhooks, "url"), [webhook.url("/program")]);
  });

  it("let something come in, and show what became of it", async () => {
    await post("webhooks", { kind: "inbound", url: webhook.url() });
    const media = { contentType: "text/plain", base64: "QUJD" };
    const come = await post("deliver", { sender: "+41790000001", content: "a", media });
    assertFields(come, { httpStatus: 201, value: { ids: [1] } });
    const more = await post("deliver", { event: "raw", kind: "inbound", payload: 1, repeat: 2 });
    assert.deepEqual(more.value, { ids: [2, 3] });
    await sim.settled();
    const { mediaId } = webhook.events.find(({ content }) => content === "a")!;
    assertFields(
      sim.main.media.find((each) => each.mediaId === mediaId),
      { size: 3 },
    );
    const deliveries = sim.main.deliveries.slice(1);
    assert.deepEqual(await shown("deliveries?limit=2"), { total: 3, pending: 0, deliveries });
    const wrong = await post("deliver", { event: "status", transferId: "x", status: "read" });
    const error = "event: no message in the log has this transferId";
    assertFields(wrong, { httpStatus: 400, value: { error } });
  });

  it("forget deliveries with what is under way", async () => {
    sim.main.registerWebhook({ kind: "status", url: webhook.url() });
    webhook.answer = answering(503);
    sim.main.deliver("status", 1);
    await until(() => sim.main.deliveries[0]?.tries === 1);
    assert.equal((await shown("deliveries")).pending, 1);
    await remove("deliveries");
    assert.deepEqual(await shown("deliveries"), { total: 0, pending: 0, deliveries: [] });
    assert.equal(sim.main.webhooks.length, 1);
  });

  it("plan statuses", async () => {
    const plan = { statuses: ["sent"], delayMs: 0, left: 2 };
    const planned = await post("status-plan", { statuses: ["sent"], times: 2 });
    assertFields(planned, { httpStatus: 201, value: plan });
    sim.main.registerWebhook({ kind: "status", url: webhook.url() });
    await sim.sms();
    await until(() => webhook.calls.length === 1);
    assert.equal(webhook.events[0]?.deliveryReportMessageStatus, "sent");
    assert.deepEqual(await shown("status-plan"), [{ ...plan, left: 1 }]);
    await remove("status-plan");
    assert.deepEqual(await shown("status-plan"), []);
    assertFields((await post("status-plan", { statuses: 1 })).value, { error: /^status plan: statuses/ });
  });

  it("mask the secret in a send's own address, wherever it is shown", async () => {
    const notificationCallbackUrl = webhook.url("/x?a=1&secret=s3cret&b=2");
    await sim.sms(undefined, { notificationCallbackUrl, clientMessageId: "c" });
    await until(() => webhook.calls.length === 1);
    assert.equal(webhook.calls[0]?.path, "/x?a=1&secret=s3cret&b=2");
    const logs = await Promise.all(["requests", "messages", "deliveries"].map((name) => shown(name)));
    const { requests, deliveries } = sim.main;
    assert.doesNotMatch(JSON.stringify([logs, requests, deliveries]), /s3cret/);
    const { fields } = logs[1].messages[0];
    assert.equal(fields.notificationCallbackUrl, webhook.url("/x?a=1&secret=***&b=2"));
    assert.match(requests[0]?.rawBody ?? "", /secret%3D\*\*\*%26b%3D2&clientMessageId=c$/);
  });

  it("stay JSON whatever a message says", async () => {
    await sim.sms(undefined, { messageContent: "password=x" });
    const { messages, total } = await shown("messages");
    assert.deepEqual([messages[0].content, total], ["password=***", 1]);
  });
});
