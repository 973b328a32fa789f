import assert from "node:assert/strict";
import type { Incoming } from "../../../../simulator/index";
import { assertFields, assertShape, pluck, useSimulator, useWebhookServer } from "../../../support/simulator";

const sender = "+41790000001";
const UUID = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

describe("simulator: what comes in", () => {
  const sim = useSimulator();
  const webhook = useWebhookServer();

  before(() => {
    for (const kind of ["inbound", "status"] as const) {
      sim.main.registerWebhook({ kind, url: webhook.url(`/${kind}`) });
    }
  });

  const receive = async (incoming: unknown) => {
    const ids = sim.main.receive(incoming as Incoming);
    await sim.settled();
    return ids;
  };

  it("is a messenger message, and opens the session window of its sender", async () => {
    assert.deepEqual(await receive({ sender: "41790000001", content: "Grüezi 👋" }), [1]);
    assert.equal(webhook.calls[0]?.path, "/inbound");
    assert.deepEqual(webhook.events, [
      {
        type: "whatsapp",
        applicationId: sim.credentials.applicationId,
        sender,
        user: { displayName: sender },
        recipient: "+999570000001",
        content: "Grüezi 👋",
      },
    ]);
    assert.deepEqual(pluck(sim.main.sessions, "recipient"), ["41790000001"]);
    assert.equal(sim.main.deliveries[0]?.event, "inbound");
  });

  it("says what it is told to", async () => {
    const mediaId = "7c9e6679-7425-40de-944b-e07fc1f90ae8";
    const ids = { applicationId: UUID, mediaId };
    const fields = { type: "viber", ...ids, sender: "user-1", recipient: "bot", content: "a" };
    await receive({ event: "inbound", ...fields, displayName: "Ada" });
    assert.deepEqual(webhook.events, [{ ...fields, user: { displayName: "Ada" } }]);
    assert.deepEqual(sim.main.sessions, []);
  });

  for (const content of [{ content: Buffer.from([0, 1, 255]) }, { base64: "AAH/" }]) {
    it(`carries a file that can be downloaded, given as ${Object.keys(content)[0]}`, async () => {
      await receive({ sender, media: { contentType: "image/gif", fileName: "ä.gif", ...content } });
      assertFields(webhook.events[0], { content: "" });
      const answer = await sim.download(webhook.events[0]?.mediaId);
      assertFields(answer, { httpStatus: 200, type: "image/gif", body: "\x00\x01\xff" });
    });
  }

  it("carries the sample picture, as a file of its own each time", async () => {
    await receive({ sender, media: { sample: true } });
    await receive({ sender, media: { sample: true } });
    const [one, other] = webhook.events.map(({ mediaId }) => mediaId);
    assert.notEqual(one, other);
    assertFields(await sim.download(one), { httpStatus: 200, type: "image/png", body: /^\x89PNG/ });
  });

  it("is an SMS, as text or binary", async () => {
    const binaryMessageContent = ["AAEC", "_-8="];
    await receive({ event: "sms", sender, content: "STOP" });
    const reversed = { sender: "41790000001", recipient: "41790000009" };
    await receive({ event: "sms", ...reversed, binary: binaryMessageContent });
    const [text, binary] = webhook.events;
    assert.notEqual(text?.notificationId, binary?.notificationId);
    const common = {
      notificationId: /^\d{20}$/,
      messageFlashSms: false,
      senderAddress: "41790000001",
      senderAddressType: "international",
      recipientAddressType: "international",
    };
    const fromText = { messageType: "text", recipientAddress: "999570000001", textMessageContent: "STOP" };
    const fromBinary = { messageType: "binary", recipientAddress: "41790000009", binaryMessageContent };
    assertShape(text, { ...common, ...fromText });
    assertShape(binary, { ...common, ...fromBinary, userDataHeaderPresent: false });
  });

  it("is a status or a tap of one recipient of several", async () => {
    sim.main.planStatuses({ statuses: [], times: 1 });
    await sim.sms("41790000001,41790000002");
    await sim.settled();
    const { transferId } = sim.main.messages[0] ?? assert.fail();
    for (const recipient of ["41790000002", "+41790000001"]) {
      const ids = await receive({ event: "status", transferId, status: "delivered", recipient });
      assert.equal(ids.length, 1);
      assert.equal(webhook.events.at(-1)?.senderAddress, recipient.replace("+", ""));
    }
    await assert.rejects(
      receive({ event: "status", transferId, status: "x", recipient: "41790000009" }),
      /the message has no such recipient/,
    );
  });

  it("is a status of a message in the log, for each recipient", async () => {
    sim.main.planStatuses({ statuses: [], times: 2 });
    await sim.sms("41790000001,41790000002", { clientMessageId: "c" });
    await sim.send("whatsapp-broadcast", { recipientAddressList: ["41790000003"] });
    await sim.settled();
    const [sms, whatsapp] = pluck(sim.main.messages, "transferId");
    const deliveredOn = "2024-10-15T20:33:03.000+02:00";
    assert.equal((await receive({ event: "status", transferId: sms, status: "expired" })).length, 2);
    await receive({ event: "status", transferId: whatsapp, status: "delivered", deliveredOn });
    const reports = webhook.events.filter((event) => event.messageType === "deliveryReport");
    const expired = pluck(reports, "senderAddress", "deliveryReportMessageStatus").sort();
    assert.deepEqual(expired, [
      ["41790000001", "expired"],
      ["41790000002", "expired"],
    ]);
    const others = webhook.events.filter((event) => event.messageType === undefined);
    const delivered = pluck(others, "sender", "messageStatus", "deliveredOn");
    assert.deepEqual(delivered, [["+41790000003", "delivered", deliveredOn]]);
  });

  it("is any JSON", async () => {
    const payload = { changed: "before" };
    await receive({ event: "raw", kind: "status", payload: [1, "a", null] });
    sim.main.deliver("inbound", payload);
    payload.changed = "afterwards";
    sim.main.deliver("inbound", null);
    await sim.settled();
    const calls = ["/inbound null", '/inbound {"changed":"before"}', '/status [1,"a",null]'];
    assert.deepEqual(webhook.lines, calls);
    assert.deepEqual(sim.main.deliveries[1]?.payload, { changed: "before" });
  });

  it("is repeated with numbers", async () => {
    assert.deepEqual(await receive({ sender, content: "no.", repeat: 3 }), [1, 2, 3]);
    await receive({ event: "sms", sender: "41790000001", content: "sms", repeat: 2 });
    await receive({ event: "raw", kind: "status", payload: {}, repeat: 2 });
    const events = webhook.events.map((event) => event.content ?? event.textMessageContent ?? "raw");
    assert.deepEqual(events.sort(), ["no. 1", "no. 2", "no. 3", "raw", "raw", "sms 1", "sms 2"]);
  });

  it("is ten thousand events in a few seconds", async () => {
    const start = process.cpuUsage();
    await receive({ sender, repeat: 10_000 });
    assert.equal(webhook.calls.length, 10_000);
    // Of the processor, which other work of the computer does not add to.
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 15_000_000);
  });

  const wrong: Record<string, unknown> = {
    "no object": "x",
    "another event": { event: "call", sender },
    "the name of a method": { event: "toString" },
    "no sender": { content: "x" },
    "another field": { sender, text: "x" },
    "a content that is no text": { sender, content: 1 },
    "an application that is no uuid": { sender, applicationId: "a" },
    "two media": { sender, mediaId: UUID, media: { contentType: "a/b", content: "" } },
    "a sample beside other media": { sender, media: { sample: true, contentType: "a/b" } },
    "a sample that is none": { sender, media: { sample: "yes" } },
    "a tap without a position": { event: "tap", transferId: "0" },
    "a tap on a message that is not there": { event: "tap", transferId: "0", suggestion: 0 },
    "a medium without a type": { sender, media: { content: "" } },
    "an SMS from nobody": { event: "sms", sender: "Ada", content: "x" },
    "an SMS without content": { event: "sms", sender },
    "an SMS with both contents": { event: "sms", sender, content: "x", binary: ["AA"] },
    "an SMS with content that is not Base64": { event: "sms", sender, binary: ["a+"] },
    "a status of no message": { event: "status", transferId: "t", status: "read" },
    "raw of no kind": { event: "raw", payload: 1 },
    "raw without anything": { event: "raw", kind: "status" },
    "raw that is not JSON": { event: "raw", kind: "status", payload: () => {} },
    "no repetition": { sender, repeat: 0 },
    "too many": { sender, repeat: 100_001 },
  };
  for (const [name, value] of Object.entries(wrong)) {
    it(`is not ${name}`, () => {
      assert.throws(() => sim.main.receive(value as Incoming), TypeError);
      assert.equal(sim.main.deliveryCount, 0);
    });
  }
});
