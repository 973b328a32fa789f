import assert from "node:assert/strict";
import { readReply } from "../../../../lib/runtime/store/event-fields";
import { replyOf } from "../../../../lib/runtime/waits/reply-of";
import { inboundMessage, inboundSms } from "../../../support/http/webhook-events";

describe("replyOf", () => {
  it("has what was written in an SMS or a messenger, with the event", () => {
    for (const [event, channel, text] of [
      [inboundSms({ textMessageContent: "YES" }), "sms", "YES"],
      [inboundMessage({ content: "no" }), "whatsapp", "no"],
      [inboundMessage({ content: undefined, mediaId: "6d0c", type: "rcs" }), "rcs", ""],
    ] as const) {
      const read = readReply("inbound", event);
      assert.equal(read?.channel, channel);
      assert.deepEqual(replyOf("41790000001", channel, read?.body ?? "", 7), {
        channel,
        number: "41790000001",
        text,
        event: JSON.parse(JSON.stringify(event)),
        at: 7,
      });
    }
  });
});
