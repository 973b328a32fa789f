import assert from "node:assert/strict";
import { channelOfEvent, messengerOfEvent } from "../../../lib/webhook/channel-of-event";
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

describe("channel that an event tells", () => {
  for (const [name, kind, payload, channel] of ROWS) {
    it(`${name}: ${channel}`, () => {
      assert.equal(channelOfEvent(kind, payload), channel);
    });
  }
});

const MESSENGERS: readonly [name: string, kind: EventKind, payload: unknown, messenger: string | null][] = [
  ["message of another messenger", "inbound", { ...MESSAGE, type: " Telegram " }, "Telegram"],
  ["status with the type of another messenger", "status", { ...STATUS, type: "viber" }, "viber"],
  ["WhatsApp message", "inbound", { ...MESSAGE, type: "WhatsApp" }, null],
  ["SMS with a type", "inbound", { ...TEXT_SMS, type: "telegram" }, null],
];

describe("messenger that an event names", () => {
  for (const [name, kind, payload, messenger] of MESSENGERS) {
    it(`${name}: ${messenger}`, () => {
      assert.equal(messengerOfEvent(kind, payload), messenger);
    });
  }
});
