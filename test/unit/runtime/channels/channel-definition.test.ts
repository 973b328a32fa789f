import assert from "node:assert/strict";
import type { ChannelDefinition } from "../../../../lib/runtime/channels/channel-definition";
import { MEDIA_CHANNEL } from "../../../../lib/runtime/channels/media-channel";
import { RCS_CHANNEL } from "../../../../lib/runtime/channels/rcs-channel";
import { SMS_CHANNEL } from "../../../../lib/runtime/channels/sms-channel";
import { WHATSAPP_CHANNEL } from "../../../../lib/runtime/channels/whatsapp-channel";
import type { SMS_FIELDS } from "../../../../lib/shared/fields/sms-fields";

type SmsChannel = ChannelDefinition<typeof SMS_FIELDS>;

describe("channel definitions", () => {
  const channels: readonly ChannelDefinition[] = [SMS_CHANNEL, WHATSAPP_CHANNEL, RCS_CHANNEL, MEDIA_CHANNEL];
  for (const { label, fields, recipients, messageKinds } of channels) {
    it(`${label}: the recipients and the message kinds of all fields exist`, () => {
      const ofKind = fields.filter(({ type }) => type === "recipients").map(({ name }) => name);
      assert.deepEqual(ofKind, recipients === null ? [] : [recipients]);
      for (const { name, messageKinds: kinds = [] } of fields) {
        assert.ok(
          kinds.every((kind) => messageKinds?.includes(kind)),
          name,
        );
      }
    });
  }

  it("accept only names of their field table (checked by the compiler)", () => {
    const choose: SmsChannel["choose"] = ({ messageContent }) => (messageContent ? "sms-json" : "sms-form");
    // @ts-expect-error The table has no field of this name.
    const wrong: SmsChannel["choose"] = ({ messageContnt }) => (messageContnt ? "sms-json" : "sms-form");
    // @ts-expect-error The table has no field of this name.
    const recipients: SmsChannel["recipients"] = "recipients";
    assert.equal(choose({ messageContent: "Hello" }, {}), "sms-json");
    assert.equal(wrong({ messageContent: "Hello" }, {}), "sms-form");
    const names = SMS_CHANNEL.fields.map(({ name }): string => name);
    assert.equal(names.includes(String(recipients)), false);
  });
});
