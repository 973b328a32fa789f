import assert from "node:assert/strict";
import type { Incoming } from "../../../../simulator/index";
import { bearer, LEGACY_BASIC, postJson, sendForm, until } from "../raw-request";
import { useWebhookServer } from "./webhook-server";
import { useSimulator } from "../use-simulator";

describe("simulator: what comes in", () => {
  const simulator = useSimulator();
  const webhook = useWebhookServer();

  before(() => {
    for (const kind of ["inbound", "status"] as const) {
      simulator.main.registerWebhook({ kind, url: webhook.url(`/${kind}`) });
    }
  });

  const settled = () => until(() => simulator.main.pendingDeliveries === 0);
  const receive = async (incoming: unknown) => {
    const ids = simulator.main.receive(incoming as Incoming);
    await settled();
    return ids;
  };

  it("is a messenger message, and opens the session window of its sender", async () => {
    assert.deepEqual(await receive({ sender: "41790000001", content: "Grüezi 👋" }), [1]);
    assert.equal(webhook.calls[0]?.path, "/inbound");
    assert.deepEqual(webhook.events, [
      {
        type: "whatsapp",
        applicationId: simulator.credentials.applicationId,
        sender: "+41790000001",
        user: { displayName: "+41790000001" },
        recipient: "+999570000001",
        content: "Grüezi 👋",
      },
    ]);
    assert.deepEqual(
      simulator.main.sessions.map(({ recipient }) => recipient),
      ["41790000001"],
    );
    assert.equal(simulator.main.deliveries[0]?.event, "inbound");
  });

  it("says what it is told to", async () => {
    const applicationId = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
    const mediaId = "7c9e6679-7425-40de-944b-e07fc1f90ae8";
    const fields = {
      type: "viber",
      applicationId,
      sender: "user-1",
      recipient: "bot",
      content: "a",
      mediaId,
    };
    await receive({ event: "inbound", ...fields, displayName: "Ada" });
    assert.deepEqual(webhook.events, [{ ...fields, user: { displayName: "Ada" } }]);
    assert.deepEqual(simulator.main.sessions, []);
  });

  for (const content of [{ content: Buffer.from([0, 1, 255]) }, { base64: "AAH/" }]) {
    it(`carries a file that can be downloaded, given as ${Object.keys(content)[0]}`, async () => {
      const media = { contentType: "image/gif", fileName: "ä.gif", ...content };
      await receive({ sender: "+41790000001", media });
      const { mediaId, content: text } = webhook.events[0]!;
      assert.equal(text, "");
      const answer = await fetch(`${simulator.url}/messaging/media/${mediaId}`, {
        headers: { authorization: await bearer(simulator.url, "media:read") },
      });
      assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "image/gif"]);
      assert.deepEqual([...new Uint8Array(await answer.arrayBuffer())], [0, 1, 255]);
    });
  }

  it("is an SMS, as text or binary", async () => {
    await receive({ event: "sms", sender: "+41790000001", content: "STOP" });
    await receive({
      event: "sms",
      sender: "41790000001",
      recipient: "41790000009",
      binary: ["AAEC", "_-8="],
    });
    const [text, binary] = webhook.events;
    assert.notEqual(text?.notificationId, binary?.notificationId);
    const common = {
      messageFlashSms: false,
      senderAddress: "41790000001",
      senderAddressType: "international",
      recipientAddressType: "international",
    };
    assert.deepEqual(text, {
      ...common,
      notificationId: text?.notificationId,
      messageType: "text",
      recipientAddress: "999570000001",
      textMessageContent: "STOP",
    });
    assert.deepEqual(binary, {
      ...common,
      notificationId: binary?.notificationId,
      messageType: "binary",
      recipientAddress: "41790000009",
      userDataHeaderPresent: false,
      binaryMessageContent: ["AAEC", "_-8="],
    });
  });

  it("is a status of a message in the log, for each recipient", async () => {
    simulator.main.planStatuses({ statuses: [], times: 2 });
    await sendForm(
      simulator.url,
      "recipientAddressList=41790000001,41790000002&messageContent=x&clientMessageId=c",
    );
    const list = { recipientAddressList: ["41790000003"], messageContent: "x" };
    await postJson(`${simulator.url}/converged/whatsapp`, list, LEGACY_BASIC);
    await settled();
    const [sms, whatsapp] = simulator.main.messages;
    const deliveredOn = "2024-10-15T20:33:03.000+02:00";
    const ids = await receive({ event: "status", transferId: sms?.transferId, status: "expired" });
    assert.equal(ids.length, 2);
    await receive({ event: "status", transferId: whatsapp?.transferId, status: "delivered", deliveredOn });
    assert.deepEqual(
      webhook.events
        .map(({ senderAddress, sender, deliveryReportMessageStatus: report, messageStatus }) => [
          senderAddress ?? sender,
          report ?? messageStatus,
        ])
        .sort(),
      [
        ["+41790000003", "delivered"],
        ["41790000001", "expired"],
        ["41790000002", "expired"],
      ],
    );
    const last = webhook.events.find(({ sender }) => sender !== undefined);
    assert.equal(last?.deliveredOn, deliveredOn);
  });

  it("is any JSON", async () => {
    const payload = { changed: "before" };
    await receive({ event: "raw", kind: "status", payload: [1, "a", null] });
    simulator.main.deliver("inbound", payload);
    payload.changed = "afterwards";
    simulator.main.deliver("inbound", null);
    await settled();
    const calls = webhook.calls.map(({ path, body }) => `${path} ${body}`);
    assert.deepEqual(calls.sort(), [
      "/inbound null",
      '/inbound {"changed":"before"}',
      '/status [1,"a",null]',
    ]);
    assert.deepEqual(simulator.main.deliveries[1]?.payload, { changed: "before" });
  });

  it("is repeated with numbers", async () => {
    const ids = await receive({ sender: "+41790000001", content: "no.", repeat: 3 });
    await receive({ event: "sms", sender: "41790000001", content: "sms", repeat: 2 });
    await receive({ event: "raw", kind: "status", payload: {}, repeat: 2 });
    assert.deepEqual(ids, [1, 2, 3]);
    const events = webhook.events.map((event) => event.content ?? event.textMessageContent ?? "raw");
    assert.deepEqual(events.sort(), ["no. 1", "no. 2", "no. 3", "raw", "raw", "sms 1", "sms 2"]);
  });

  it("is ten thousand events in a few seconds", async () => {
    const start = performance.now();
    await receive({ sender: "+41790000001", repeat: 10_000 });
    assert.equal(webhook.calls.length, 10_000);
    assert.ok(performance.now() - start < 15_000);
  }).timeout(20_000);

  const wrong: Record<string, unknown> = {
    "no object": "x",
    "another event": { event: "call", sender: "+41790000001" },
    "the name of a method": { event: "toString" },
    "no sender": { content: "x" },
    "another field": { sender: "+41790000001", text: "x" },
    "a content that is no text": { sender: "+41790000001", content: 1 },
    "an application that is no uuid": { sender: "+41790000001", applicationId: "a" },
    "two media": {
      sender: "+41790000001",
      mediaId: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
      media: { contentType: "a/b", content: "" },
    },
    "a medium without a type": { sender: "+41790000001", media: { content: "" } },
    "an SMS from nobody": { event: "sms", sender: "Ada", content: "x" },
    "an SMS without content": { event: "sms", sender: "41790000001" },
    "an SMS with both contents": { event: "sms", sender: "41790000001", content: "x", binary: ["AA"] },
    "an SMS with content that is not Base64": { event: "sms", sender: "41790000001", binary: ["a+"] },
    "a status of no message": { event: "status", transferId: "t", status: "read" },
    "raw of no kind": { event: "raw", payload: 1 },
    "raw without anything": { event: "raw", kind: "status" },
    "raw that is not JSON": { event: "raw", kind: "status", payload: () => {} },
    "no repetition": { sender: "+41790000001", repeat: 0 },
    "too many": { sender: "+41790000001", repeat: 100_001 },
  };
  for (const [name, value] of Object.entries(wrong)) {
    it(`is not ${name}`, () => {
      assert.throws(() => simulator.main.receive(value as Incoming), TypeError);
      assert.equal(simulator.main.deliveryCount, 0);
    });
  }
});
