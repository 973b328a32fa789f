import assert from "node:assert/strict";
import { classifyEvent, type EventKind, type ReceiverKind } from "../../../lib/webhook/classify-event";
import { BINARY_SMS, MESSAGE, REPORT, STATUS, TEXT_SMS } from "./sample-events";

type Row = readonly [name: string, value: unknown, kind: EventKind, port: number];

const without = (value: object, ...names: string[]): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

const INBOUND: readonly Row[] = [
  ["message", MESSAGE, "inbound", 0],
  ["message with unknown fields", { ...MESSAGE, more: { a: 1 }, messageType: "image" }, "inbound", 0],
  ["message with no text", { ...MESSAGE, content: "" }, "inbound", 0],
  ["message with a file", { ...MESSAGE, mediaId: "m" }, "inbound", 0],
  ["file with null for words", { ...MESSAGE, content: null, mediaId: "m" }, "inbound", 0],
  ["message without user", without(MESSAGE, "user"), "inbound", 0],
  ["message whose ids are no UUIDs", { ...MESSAGE, applicationId: "app", sender: "user-17" }, "inbound", 0],
  ["message with an odd recipient", { ...MESSAGE, recipient: 17, mediaId: null }, "inbound", 0],
  ["message without type", without(MESSAGE, "type"), "unrecognised", 1],
  ["message without application", without(MESSAGE, "applicationId"), "unrecognised", 1],
  ["message without sender", without(MESSAGE, "sender"), "unrecognised", 1],
  ["message whose sender is an object", { ...MESSAGE, sender: { $ne: null } }, "unrecognised", 1],
  ["message without content or file", without(MESSAGE, "content"), "unrecognised", 1],
  ["SMS", TEXT_SMS, "inbound", 0],
  ["SMS in capitals", { ...TEXT_SMS, messageType: "TEXT" }, "inbound", 0],
  ["SMS with the least", { messageType: "text", senderAddress: "1", textMessageContent: "x" }, "inbound", 0],
  ["SMS without text", without(TEXT_SMS, "textMessageContent"), "unrecognised", 1],
  ["SMS without sender", without(TEXT_SMS, "senderAddress"), "unrecognised", 1],
  ["SMS of another type", { ...TEXT_SMS, messageType: "picture" }, "unrecognised", 1],
  ["binary SMS", BINARY_SMS, "inbound", 0],
  ["binary SMS with a text for a list", { ...BINARY_SMS, binaryMessageContent: "AAEC" }, "unrecognised", 1],
  ["status", STATUS, "unrecognised", 1],
  ["report", REPORT, "unrecognised", 1],
];

/** The port of each word for a status, from 0. */
const PORTS: Readonly<Record<string, number>> = {
  ...{ DELIVERED: 0, Delivered: 0, " delivered ": 0 },
  ...{ failed: 1, FAILED: 1, expired: 1, Deleted: 1, rejected: 1 },
  ...{ undelivered: 2, accepted: 2, sent: 2, read: 2, "": 2, toString: 2, __proto__x: 2, "not delivered": 2 },
};

const STATUSES: readonly Row[] = [
  ["status", STATUS, "status", 0],
  ["report", REPORT, "report", 0],
  ...Object.entries(PORTS).flatMap(([word, port]): Row[] => [
    [`status '${word}'`, { ...STATUS, messageStatus: word }, "status", port],
    [`report '${word}'`, { ...REPORT, deliveryReportMessageStatus: word }, "report", port],
  ]),
  ["status without a time", without(STATUS, "deliveredOn", "sender", "applicationId"), "status", 0],
  ["status of no message", without(STATUS, "transferId", "clientMessageId"), "unrecognised", 3],
  ["status with blank ids", { ...STATUS, transferId: "", clientMessageId: "" }, "unrecognised", 3],
  ["status without status", without(STATUS, "messageStatus"), "unrecognised", 3],
  ["report of no message", { ...REPORT, transferId: null, clientMessageId: null }, "unrecognised", 3],
  ["status with a list of them", { ...STATUS, messageStatus: ["delivered"] }, "unrecognised", 3],
  ["report with the least", without(REPORT, "deliveredAs", "deliveredOn", "notificationId"), "report", 0],
  ["report without status", without(REPORT, "deliveryReportMessageStatus"), "unrecognised", 3],
  ["message", MESSAGE, "unrecognised", 3],
  ["SMS", TEXT_SMS, "unrecognised", 3],
];

const NO_EVENTS: readonly unknown[] = [null, true, 0, "", "delivered", [], [STATUS], [MESSAGE], {}];

describe("kind and port of an event", () => {
  const check = (receiver: ReceiverKind, rows: readonly Row[]): void => {
    for (const [name, value, kind, port] of rows) {
      const found = classifyEvent(receiver, value);
      assert.deepEqual({ kind: found.kind, port: found.port }, { kind, port }, name);
    }
    for (const value of NO_EVENTS) {
      const none = { kind: "unrecognised", port: receiver === "inbound" ? 1 : 3, sender: null, id: null };
      assert.deepEqual(classifyEvent(receiver, value), none);
    }
  };

  it("gives each inbound event its kind and its output", () => check("inbound", INBOUND));

  it("gives each status and report its kind and its output", () => check("status", STATUSES));

  it("returns the sender of an event", () => {
    const sender = (receiver: ReceiverKind, value: unknown) => classifyEvent(receiver, value).sender;
    assert.equal(sender("inbound", MESSAGE), MESSAGE.sender);
    assert.equal(sender("inbound", TEXT_SMS), TEXT_SMS.senderAddress);
    assert.equal(sender("status", STATUS), STATUS.sender);
    assert.equal(sender("status", REPORT), REPORT.senderAddress);
    assert.equal(sender("status", { ...STATUS, sender: 7 }), null);
    assert.equal(sender("inbound", { ...MESSAGE, sender: "" }), null);
  });

  it("returns the id with its kind", () => {
    const id = (receiver: ReceiverKind, value: unknown) => classifyEvent(receiver, value).id;
    assert.equal(id("inbound", TEXT_SMS), "inbound:n-1");
    assert.equal(id("status", REPORT), "report:n-3");
    assert.equal(id("status", { ...STATUS, notificationId: "n-3" }), "status:n-3");
    assert.equal(id("status", { ...REPORT, notificationId: 17 }), "report:17");
    assert.equal(id("inbound", MESSAGE), null);
    const largest = Number.MAX_SAFE_INTEGER;
    assert.equal(id("status", { ...REPORT, notificationId: largest }), `report:${largest}`);
    for (const written of ["52806753278991111110", "1e999", "0.5"]) {
      const report = JSON.parse(JSON.stringify(REPORT).replace('"n-3"', written));
      assert.equal(id("status", report), null, `${written} is read as a number that others have, too`);
    }
    for (const odd of ["", null, {}, ["n-1"], true]) {
      assert.equal(id("inbound", { ...TEXT_SMS, notificationId: odd }), null);
    }
    assert.equal(id("inbound", { notificationId: "n-1" }), null, "of what was not recognised");
  });

  it("shortens long ids and keeps them distinct", () => {
    const id = (text: string) => classifyEvent("status", { ...REPORT, notificationId: text }).id ?? "";
    const [one, other] = [id(`${"x".repeat(100_000)}1`), id(`${"x".repeat(100_000)}2`)];
    assert.notEqual(one, other);
    assert.equal(one, id(`${"x".repeat(100_000)}1`));
    assert.ok(one.length < 80);
    assert.equal(id("x".repeat(128)), `report:${"x".repeat(128)}`);
  });
});
