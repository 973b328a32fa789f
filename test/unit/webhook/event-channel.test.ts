import assert from "node:assert/strict";
import { getEventChannel, getEventMessenger } from "../../../lib/webhook/event-channel";
import type { EventKind } from "../../../lib/webhook/classify-event";
import { MESSAGE, REPORT, STATUS, TEXT_SMS } from "./sample-events";

const ROWS: readonly [name: string, kind: EventKind, payload: unknown, channel: string | null][] = [
  ["text SMS", "inbound", TEXT_SMS, "sms"],
  ["SMS with a type", "inbound", { ...TEXT_SMS, type: "rcs" }, "sms"],
  ["WhatsApp message", "inbound", MESSAGE, "whatsapp"],
  ["RCS message", "inbound", { ...MESSAGE, type: " RCS " }, "rcs"],
  ["message of another messenger", "inbound", { ...MESSAGE, type: "telegram" }, null],
  ["delivery report", "report", REPORT, "sms"],
  ["status message", "status", STATUS, null],
  ["status message with a type of its own", "status", { ...STATUS, type: "whatsapp" }, null],
  ["what is not recognised", "unrecognised", null, null],
];

describe("getEventChannel", () => {
  it("returns the channel of each kind of event", () => {
    for (const [name, kind, payload, channel] of ROWS) {
      assert.equal(getEventChannel(kind, payload), channel, name);
    }
  });
});

const MESSENGERS: readonly [name: string, kind: EventKind, payload: unknown, messenger: string | null][] = [
  ["message of another messenger", "inbound", { ...MESSAGE, type: " Telegram " }, "Telegram"],
  ["status with the type of another messenger", "status", { ...STATUS, type: "viber" }, "viber"],
  ["WhatsApp message", "inbound", { ...MESSAGE, type: "WhatsApp" }, null],
  ["SMS with a type", "inbound", { ...TEXT_SMS, type: "telegram" }, null],
];

describe("getEventMessenger", () => {
  it("returns a messenger that is no channel", () => {
    for (const [name, kind, payload, messenger] of MESSENGERS) {
      assert.equal(getEventMessenger(kind, payload), messenger, name);
    }
  });
});
