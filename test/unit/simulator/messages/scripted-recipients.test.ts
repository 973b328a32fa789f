import assert from "node:assert/strict";
import { APPLICATION_ID as applicationId } from "../../../../simulator/sign-in/credentials";
import { assertShape, pluck, useSimulator } from "../../../support/simulator";
import { useWebhookServer } from "../../../support/simulator/webhook-server";

describe("simulator: scripted recipients", () => {
  const sim = useSimulator();
  const inbound = useWebhookServer();
  before(() => {
    sim.main.registerWebhook({ kind: "status", url: inbound.url("/status") });
    sim.main.registerWebhook({ kind: "inbound", url: inbound.url("/inbound") });
  });

  const bodies = () =>
    pluck(
      inbound.calls.filter(({ path }) => path === "/inbound"),
      "body",
    );
  const replies = () => bodies().map((body) => JSON.parse(body));
  const template = async (recipient: string) => {
    assert.equal((await sim.send("whatsapp-template", { recipient })).httpStatus, 201);
    await sim.settled();
  };

  it("999560001 says yes to a template, after its status, and can then be sent text", async () => {
    const text = { recipient: "999560001" };
    assert.equal((await sim.send("whatsapp-text", text)).code, 4400);
    await template("999560001");
    assert.deepEqual(replies(), [
      {
        type: "whatsapp",
        applicationId,
        sender: "+999560001",
        user: { displayName: "Scripted recipient" },
        recipient: "+999570000001",
        content: "Yes, please",
      },
    ]);
    assert.deepEqual(pluck(sim.main.deliveries, "event"), ["status", "inbound"]);
    assert.equal((await sim.send("whatsapp-text", text)).httpStatus, 201);
    await sim.settled();
    // An answer to the text would go round in circles with a flow that answers everything.
    assert.equal(replies().length, 1);
  });

  it("999560003 says the same twice, in two events with equal bodies", async () => {
    await template("999560003");
    const [one, other, ...more] = bodies();
    assert.deepEqual([one, more], [other, []]);
  });

  it("999560005 answers an SMS, if it asks something", async () => {
    await sim.sms("999560005,41790000000");
    await sim.sms("999560005,41790000000", { messageContent: "Coming?" });
    await sim.settled();
    assertShape(replies(), [
      {
        notificationId: /^\d{20}$/,
        messageType: "text",
        messageFlashSms: false,
        senderAddress: "999560005",
        senderAddressType: "international",
        recipientAddress: "999570000001",
        recipientAddressType: "international",
        textMessageContent: "Yes",
      },
    ]);
  });

  it("999560007 says STOP to an advertisement by SMS, and to nothing else", async () => {
    await sim.sms("999560007,41790000000");
    await sim.sms("999560007", { contentCategory: "informational" });
    await sim.send("whatsapp-template", { recipient: "999560007" });
    await sim.settled();
    assert.deepEqual(replies(), []);
    await sim.sms("999560007,41790000000", { contentCategory: "advertisement" });
    await sim.settled();
    assert.deepEqual(pluck(replies(), "senderAddress", "textMessageContent"), [["999560007", "STOP"]]);
  });
});
