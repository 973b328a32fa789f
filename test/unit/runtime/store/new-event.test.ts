import assert from "node:assert/strict";
import { readReply } from "../../../../lib/runtime/store/event-fields";
import { newEvent, storedKey } from "../../../../lib/runtime/store/new-event";
import type { EventKind } from "../../../../lib/webhook/classify-event";
import {
  deliveryReport,
  inboundMessage,
  inboundSms,
  statusMessage,
} from "../../../support/http/webhook-events";

const eventOf = (kind: EventKind, payload: Record<string, unknown>, keepTexts = false) => {
  const sender = (payload.senderAddress ?? payload.sender) as string;
  return newEvent({ kind, sender, payload, optOut: null }, "name", keepTexts);
};

describe("newEvent", () => {
  it("reads ids, status, time and number of a status message", () => {
    assert.deepEqual(eventOf("status", statusMessage({ messageStatus: " Read " })), {
      key: "name",
      kind: "status",
      number: "41790000001",
      clientMessageId: "order-7",
      transferId: "00670eb55d00349e1111",
      status: "Read",
      at: Date.parse("2026-01-15T18:33:03.000Z"),
      body: null,
      optOut: null,
      reply: null,
    });
  });

  it("reads those of a delivery report, but not its sending time", () => {
    const report = deliveryReport({ deliveredOn: undefined, deliveryReportMessageStatus: "undelivered" });
    const found = eventOf("report", report);
    assert.deepEqual([found?.kind, found?.status, found?.at], ["report", "undelivered", null]);
  });

  it("reads the sender of a reply, and no id of a sent message", () => {
    for (const [payload, number] of [
      [inboundSms({ senderAddress: "0041 79 000 00 01" }), "41790000001"],
      [inboundSms({ senderAddress: "410790000001" }), "41790000001"],
      [inboundMessage({ type: "telegram", sender: "+41 079 000 00 01" }), "41790000001"],
      [inboundSms({ senderAddress: "40404" }), "40404"],
      [inboundMessage(), "41790000001"],
      [inboundMessage({ type: "telegram", sender: "41790000001" }), null],
      [inboundMessage({ sender: "user@messenger", transferId: "t", clientMessageId: "c" }), null],
    ] as const) {
      assert.deepEqual(eventOf("inbound", payload), {
        key: "name",
        kind: "inbound",
        number,
        clientMessageId: null,
        transferId: null,
        status: null,
        at: null,
        body: null,
        optOut: null,
        reply: readReply("inbound", payload),
      });
    }
  });

  it("stores the event itself only when texts are stored", () => {
    const payload = inboundMessage({ content: "yes \ud800 \0" });
    assert.equal(eventOf("inbound", payload)?.body, null);
    assert.deepEqual(JSON.parse(eventOf("inbound", payload, true)?.body ?? ""), payload);
  });

  it("passes on nothing that a database refuses, and nothing endless", () => {
    const event = eventOf(
      "status",
      statusMessage({
        transferId: "a\0b\ud800",
        clientMessageId: "\0 ",
        messageStatus: "x".repeat(5000),
        deliveredOn: "yesterday",
      }),
    );
    assert.deepEqual(
      [event?.transferId, event?.clientMessageId, event?.status?.length, event?.at],
      ["ab\ufffd", null, 256, null],
    );
    assert.equal(eventOf("status", statusMessage({ transferId: 7 }))?.transferId, null);
  });
});

describe("storedKey", () => {
  it("keeps usual keys unchanged, and different keys different", () => {
    assert.equal(storedKey("report:52806753278990000001"), "report:52806753278990000001");
    const keys = ["report:a\0b", "report:ab", "report:\ud800", "report:\ud801", "report:\ufffd", "report:ü"];
    const stored = keys.map(storedKey);
    assert.equal(new Set(stored).size, keys.length);
    assert.ok(stored.every((key) => /^[\x20-\x7e]+$/.test(key)));
  });
});
