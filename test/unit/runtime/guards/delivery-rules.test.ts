import assert from "node:assert/strict";
import type { ChannelConfig, ChannelDefinition } from "../../../../lib/runtime/channels/channel-definition";
import { RCS_CHANNEL } from "../../../../nodes/rcs-send/runtime/rcs-channel";
import { SMS_CHANNEL } from "../../../../lib/runtime/channels/sms-channel";
import { WHATSAPP_CHANNEL } from "../../../../lib/runtime/channels/whatsapp-channel";
import type { FieldValues } from "../../../../lib/runtime/fields/field-reader";
import { contentHash } from "../../../../lib/runtime/guards/content-hash";
import { DeliveryRules } from "../../../../lib/runtime/guards/delivery-rules";
import { NO_RULES, type RequestRules } from "../../../../lib/store/guards/request-rules";

const NOW = Date.parse("2026-11-22T15:44:00Z");
const HOUR = 3_600_000;
const ZONE = "Europe/Zurich";
const TO = ["41790000001"];

const sms = SMS_CHANNEL as ChannelDefinition;
const whatsapp = WHATSAPP_CHANNEL as ChannelDefinition;
const rcs = RCS_CHANNEL as ChannelDefinition;

const SET = ["onceKey", "notBefore", "uselessAfter"];
const MESSAGE = { recipientAddressList: "41790000001", messageContent: "Hello" };

function rulesOf(channel = sms, config: ChannelConfig = {}, set = SET): DeliveryRules {
  return new DeliveryRules(channel, config, { reads: (name) => set.includes(name) });
}

function read(values: FieldValues, config: ChannelConfig = {}, channel = sms): RequestRules {
  const rules = rulesOf(channel, config);
  return rules.read(rules.divide({ ...MESSAGE, ...values }, false), NOW, ZONE, TO);
}

const ASKS_NOTHING: RequestRules = { ...NO_RULES, zone: "" };

describe("the delivery rules of a node", () => {
  const times: readonly (readonly [values: FieldValues, expected: Partial<RequestRules>])[] = [
    [{ notBefore: "2h" }, { scheduled: NOW + 2 * HOUR }],
    [{ notBefore: "2026-11-22 20:15" }, { scheduled: Date.parse("2026-11-22T19:15:00Z") }],
    [{ notBefore: String(NOW + 1) }, { scheduled: NOW + 1 }],
    [{ notBefore: String(NOW) }, { scheduled: null }],
    [{ notBefore: "2020-01-01" }, { scheduled: null }],
    [{ notBefore: new Date(NOW + HOUR) }, { scheduled: NOW + HOUR }],
    [{ uselessAfter: "15 min" }, { uselessAfter: NOW + HOUR / 4 }],
    [{ uselessAfter: "2020-01-01" }, { uselessAfter: Date.parse("2019-12-31T23:00:00Z") }],
    // 16:44 in Zurich: 8:00 is that of tomorrow, and 20:00 then as well.
    [
      { notBefore: "08:00", uselessAfter: "20:00" },
      {
        scheduled: Date.parse("2026-11-23T07:00:00Z"),
        uselessAfter: Date.parse("2026-11-23T19:00:00Z"),
      },
    ],
    [
      { notBefore: "2h", uselessAfter: "3h" },
      { scheduled: NOW + 2 * HOUR, uselessAfter: NOW + 3 * HOUR },
    ],
  ];
  it("read both times in the zone of the account, and drop a start that has passed", () => {
    for (const [values, expected] of times) {
      assert.deepEqual(read(values), { ...ASKS_NOTHING, ...expected }, JSON.stringify(values));
    }
  });

  it("give a key with its time and the hash of the content, whatever the recipient and the ids", () => {
    const hash = contentHash("SMS", { messageContent: "Hello" });
    const once = { key: "order-1", within: 30 * 24 * HOUR, hash };
    assert.deepEqual(read({ onceKey: "order-1" }).once, once);
    assert.deepEqual(read({ onceKey: " order-1 ", clientMessageId: "x" }, { onceWithin: "90s" }).once, {
      ...once,
      within: 90_000,
    });
    assert.deepEqual(read({ onceKey: "order-1" }, { onceWithin: " " }).once, once);
    assert.notEqual(read({ onceKey: "order-1", messageContent: "Bye" }).once?.hash, hash);
  });

  it("keep no hash of a sensitive text, of which a code could be found by trying all", () => {
    const hashOf = (messageContent: string): string | undefined => {
      const rules = rulesOf();
      return rules.read(rules.divide({ ...MESSAGE, onceKey: "k", messageContent }, true), NOW, ZONE, TO).once
        ?.hash;
    };
    assert.equal(hashOf("Code 1234"), "sensitive");
    assert.equal(hashOf("Code 5678"), "sensitive");
  });

  it("leave the key alone in a test, which sends nothing", () => {
    assert.equal(read({ onceKey: "k", test: true }).once, null);
    assert.throws(() => read({ onceKey: " ", test: true }), /onceKey must be a text/);
  });

  const costs: readonly (readonly [what: string, values: FieldValues, cost: number])[] = [
    ["one SMS", { messageContent: "a".repeat(160) }, 1],
    ["two SMS", { messageContent: "a".repeat(161) }, 2],
    ["a flash SMS", { messageContent: "ő".repeat(71), sendAsFlashSms: true }, 2],
    ["a voice message", { messageContent: "a".repeat(500), messageType: "voice" }, 1],
    ["no more SMS than it may have", { messageContent: "a".repeat(500), maxSmsPerMessage: 2 }, 2],
    ["all of its SMS without such a limit", { messageContent: "a".repeat(500), maxSmsPerMessage: 0 }, 4],
  ];
  it("count the SMS of a message against its limits", () => {
    for (const [what, values, cost] of costs) assert.equal(read(values).cost, cost, what);
  });

  it("send also to those who opted out only what is informational, where the message has a category", () => {
    const also = { alsoOptedOut: true };
    assert.equal(read({ contentCategory: "informational" }, also).alsoOptedOut, true);
    assert.equal(read({ textMessage: "x" }, { ...also, kind: "text" }, rcs).alsoOptedOut, true);
    assert.equal(read({ content: "x" }, { ...also, kind: "text" }, whatsapp).alsoOptedOut, true);
    for (const [values, config, channel] of [
      [{}, also, sms],
      [{ contentCategory: "advertisement" }, also, sms],
      [{ messageContent: "x" }, { ...also, kind: "broadcast" }, whatsapp],
    ] as const) {
      assert.throws(() => read(values, config, channel), { name: "FieldError", field: "contentCategory" });
    }
  });

  it("refuse a key and times that cannot be read", () => {
    for (const [field, ...values] of [
      ["onceKey", "  ", { a: 1 }, "k".repeat(201)],
      ["notBefore", "soon", {}],
      ["uselessAfter", "24.12."],
    ] as const) {
      for (const value of values) {
        assert.throws(() => read({ [field]: value }), { code: "FIELD_INVALID", field });
      }
    }
    assert.equal(read({ onceKey: "k".repeat(200) }).once?.key.length, 200);
  });

  it("refuse a node whose key has no time that can be read, and none that has no key", () => {
    for (const onceWithin of ["soon", "0s", "1 month"]) {
      assert.throws(() => rulesOf(sms, { onceWithin }), {
        code: "BAD_SETTING",
        message: /“Within” of the send-once key/,
      });
      assert.doesNotThrow(() => rulesOf(sms, { onceWithin }, ["notBefore"]));
    }
  });
});
