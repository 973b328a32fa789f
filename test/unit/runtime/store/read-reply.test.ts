import assert from "node:assert/strict";
import { readReply } from "../../../../lib/runtime/store/event-fields";
import {
  deliveryReport,
  inboundMessage,
  inboundSms,
  statusMessage,
} from "../../../support/http/webhook-events";

describe("readReply", () => {
  it("takes a text SMS", () => {
    const payload = inboundSms({ messageType: "TEXT", type: "whatsapp" });
    assert.deepEqual(readReply("inbound", payload), { channel: "sms", body: JSON.stringify(payload) });
  });

  it("takes messages of WhatsApp and RCS, also pictures without words", () => {
    for (const [fields, channel] of [
      [{}, "whatsapp"],
      [{ type: " RCS " }, "rcs"],
      [{ content: undefined, mediaId: "6d0c" }, "whatsapp"],
    ] as const) {
      const payload = inboundMessage(fields);
      assert.deepEqual(readReply("inbound", payload), { channel, body: JSON.stringify(payload) });
    }
  });

  it("has a body without the NUL character and halves of characters", () => {
    const payload = inboundMessage({ content: "yes \0 \ud800" });
    const { body } = readReply("inbound", payload) ?? { body: "" };
    assert.match(body, /^[\x20-\x7e]+$/);
    assert.deepEqual(JSON.parse(body), payload);
  });

  it("takes nothing else for a reply", () => {
    const binary = inboundSms({
      messageType: "binary",
      textMessageContent: undefined,
      binaryMessageContent: ["AA"],
    });
    assert.equal(readReply("inbound", binary), null);
    assert.equal(readReply("inbound", inboundMessage({ type: "telegram" })), null);
    assert.equal(readReply("status", statusMessage({ type: "whatsapp" })), null);
    assert.equal(readReply("report", deliveryReport({ textMessageContent: "yes" })), null);
    for (const payload of [null, 7, "yes", []]) {
      assert.equal(readReply("unrecognised", payload), null);
    }
  });
});
