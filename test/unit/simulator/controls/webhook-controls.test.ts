import assert from "node:assert/strict";
import { sendControl, sendForm, until } from "../raw-request";
import { answering, useWebhookServer } from "../webhooks/webhook-server";
import { useFreshSimulator } from "../use-simulator";

describe("simulator: controls of webhooks", () => {
  const simulator = useFreshSimulator();
  const webhook = useWebhookServer();

  const control = (method: string, path: string, value?: unknown, account = "") =>
    sendControl({ ...simulator, url: simulator.url + account }, method, path, value);

  it("register, show and forget webhooks, of each account its own", async () => {
    const url = webhook.url("/?secret=s3cret");
    const headers = { "x-own": "s3cret" };
    const added = await control("POST", "webhooks", {
      kind: "inbound",
      url,
      headers,
      label: "a",
      cutEvery: 3,
    });
    assert.deepEqual([added.httpStatus, added.value], [201, { id: 1 }]);
    assert.deepEqual((await control("GET", "webhooks")).value, [
      {
        id: 1,
        kind: "inbound",
        url: webhook.url("/?secret=***"),
        headers: { "x-own": "***" },
        label: "a",
        kept: false,
        cutEvery: 3,
        pending: 0,
      },
    ]);
    assert.deepEqual((await control("GET", "webhooks", undefined, "/account/b")).value, []);
    simulator.main.registerWebhook({ kind: "status", url });
    assert.deepEqual((await control("DELETE", "webhooks")).value, { removed: 1 });
    assert.deepEqual(
      simulator.main.webhooks.map(({ id }) => id),
      [2],
    );
    assert.equal((await control("DELETE", "webhooks?id=1")).httpStatus, 404);
    assert.equal((await control("DELETE", "webhooks?all")).httpStatus, 400);
    assert.deepEqual((await control("DELETE", "webhooks?id=2")).value, { removed: 1 });
    assert.deepEqual(simulator.main.webhooks, []);
  });

  it("say what is wrong with a webhook", async () => {
    const wrong = await control("POST", "webhooks", { kind: "inbound", url: "hook" });
    assert.deepEqual(wrong.value, { error: "webhook: url must be an http or https URL" });
    assert.equal(wrong.httpStatus, 400);
  });

  it("forget their webhooks at a reset, and leave those of a program", async () => {
    await control("POST", "webhooks", { kind: "inbound", url: webhook.url("/control") });
    simulator.main.registerWebhook({ kind: "inbound", url: webhook.url("/program") });
    await control("POST", "webhooks", { kind: "inbound", url: webhook.url("/program") });
    await control("POST", "reset");
    assert.deepEqual(
      simulator.main.webhooks.map(({ url }) => url),
      [webhook.url("/program")],
    );
  });

  it("let something come in, and show what became of it", async () => {
    await control("POST", "webhooks", { kind: "inbound", url: webhook.url() });
    const media = { contentType: "text/plain", base64: "QUJD" };
    const come = await control("POST", "deliver", { sender: "+41790000001", content: "a", media });
    assert.deepEqual([come.httpStatus, come.value], [201, { ids: [1] }]);
    const more = await control("POST", "deliver", { event: "raw", kind: "inbound", payload: 1, repeat: 2 });
    assert.deepEqual(more.value, { ids: [2, 3] });
    await until(() => simulator.main.pendingDeliveries === 0);
    const { mediaId } = webhook.events.find(({ content }) => content === "a")!;
    assert.ok(simulator.main.media.some((each) => each.mediaId === mediaId && each.size === 3));
    const shown = await control("GET", "deliveries?limit=2");
    assert.deepEqual(shown.value, { total: 3, pending: 0, deliveries: simulator.main.deliveries.slice(1) });
    const wrong = await control("POST", "deliver", { event: "status", transferId: "x", status: "read" });
    assert.deepEqual(
      [wrong.httpStatus, wrong.value],
      [400, { error: "event: no message in the log has this transferId" }],
    );
  });

  it("forget deliveries with what is under way", async () => {
    simulator.main.registerWebhook({ kind: "status", url: webhook.url() });
    webhook.answer = answering(503, "");
    simulator.main.deliver("status", 1);
    await until(() => simulator.main.deliveries[0]?.tries === 1);
    assert.equal((await control("GET", "deliveries")).value.pending, 1);
    await control("DELETE", "deliveries");
    assert.deepEqual((await control("GET", "deliveries")).value, { total: 0, pending: 0, deliveries: [] });
    assert.equal(simulator.main.webhooks.length, 1);
  });

  it("plan statuses", async () => {
    const planned = await control("POST", "status-plan", { statuses: ["sent"], times: 2 });
    assert.deepEqual([planned.httpStatus, planned.value], [201, { statuses: ["sent"], delayMs: 0, left: 2 }]);
    simulator.main.registerWebhook({ kind: "status", url: webhook.url() });
    await sendForm(simulator.url, "recipientAddressList=41790000000&messageContent=x");
    await until(() => webhook.calls.length === 1);
    assert.equal(webhook.events[0]?.deliveryReportMessageStatus, "sent");
    assert.deepEqual((await control("GET", "status-plan")).value, [
      { statuses: ["sent"], delayMs: 0, left: 1 },
    ]);
    await control("DELETE", "status-plan");
    assert.deepEqual((await control("GET", "status-plan")).value, []);
    const wrong = await control("POST", "status-plan", { statuses: 1 });
    assert.match(wrong.value.error, /^status plan: statuses/);
  });

  it("mask the secret in a send's own address, wherever it is shown", async () => {
    const address = encodeURIComponent(webhook.url("/x?a=1&secret=s3cret&b=2"));
    await sendForm(
      simulator.url,
      `recipientAddressList=41790000000&messageContent=x&notificationCallbackUrl=${address}&clientMessageId=c`,
    );
    await until(() => webhook.calls.length === 1);
    assert.equal(webhook.calls[0]?.path, "/x?a=1&secret=s3cret&b=2");
    const shown = await Promise.all(
      ["requests", "messages", "deliveries"].map((name) => control("GET", name)),
    );
    for (const { body } of shown) assert.doesNotMatch(body, /s3cret/);
    assert.doesNotMatch(JSON.stringify([simulator.main.requests, simulator.main.deliveries]), /s3cret/);
    assert.equal(
      shown[1]?.value.messages[0].fields.notificationCallbackUrl,
      webhook.url("/x?a=1&secret=***&b=2"),
    );
    assert.match(simulator.main.requests[0]?.rawBody ?? "", /secret%3D\*\*\*%26b%3D2&clientMessageId=c$/);
  });

  it("stay JSON whatever a message says", async () => {
    await sendForm(simulator.url, "recipientAddressList=41790000000&messageContent=password%3Dx");
    const { value } = await control("GET", "messages");
    assert.equal(value.messages[0].content, "password=***");
    assert.equal(value.total, 1);
  });
});
