import assert from "node:assert/strict";
import type { Incoming } from "../../../../simulator/index";
import { assertFields, assertShape, pluck, useSimulator, useWebhookServer } from "../../../support/simulator";

const sender = "+41790000001";
describe("simulator: incoming messages", () => {
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

  it("sends a messenger message and opens the session window of its sender", async () => {
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

  for (const content of [{ content: Buffer.from([0, 1, 255]) }, { base64: "AAH/" }]) {
    it(`carries a file that can be downloaded, given as ${Object.keys(content)[0]}`, async () => {
      await receive({ sender, media: { contentType: "image/gif", fileName: "ä.gif", ...content } });
      assertFields(webhook.events[0], { content: "" });
      const answer = await sim.download(webhook.events[0]?.mediaId);
      assertFields(answer, { httpStatus: 200, type: "image/gif", body: "\x00\x01\xff" });
    });
  }

  it("sends an SMS as text or binary", async () => {
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
});
