import assert from "node:assert/strict";
import { contentHash } from "../../../../lib/runtime/guards/content-hash";

const SMS = { messageContent: "Your order is ready", senderAddress: "Shop" };
const rcs = (message: object, contact = "+41790000001") => ({
  rcsPayload: { RCSMessage: message, messageContact: { userContact: contact } },
});

describe("the hash of a content", () => {
  it("is the same whoever gets the message, with whichever ids, and however urgent and long it counts", () => {
    const others = {
      recipientAddressList: ["41790000001"],
      clientMessageId: "4711",
      notificationCallbackUrl: "https://example.com/r?id=4711",
      validityPeriode: 300,
      priority: 5,
      maxSmsPerMessage: 3,
      test: true,
    };
    assert.equal(contentHash("SMS", { ...SMS, ...others }), contentHash("SMS", SMS));
    assert.equal(contentHash("SMS", { ...SMS, clientMessageId: undefined }), contentHash("SMS", SMS));
  });

  it("is the same in whichever order a flow sets the fields", () => {
    const { messageContent, senderAddress } = SMS;
    assert.equal(contentHash("SMS", { senderAddress, messageContent }), contentHash("SMS", SMS));
    assert.equal(
      contentHash("RCS", rcs({ textMessage: "x", trafficType: "otp" })),
      contentHash("RCS", rcs({ trafficType: "otp", textMessage: "x" })),
    );
  });

  const others: readonly (readonly [what: string, channel: string, fields: Record<string, unknown>])[] = [
    ["text", "SMS", { ...SMS, messageContent: "Your order is late" }],
    ["sender", "SMS", { ...SMS, senderAddress: "Store" }],
    ["type", "SMS", { ...SMS, messageType: "voice" }],
    ["category", "SMS", { ...SMS, contentCategory: "advertisement" }],
    ["channel", "WhatsApp", SMS],
  ];
  it("differs when text, sender, type, category or channel differ", () => {
    for (const [what, channel, fields] of others) {
      assert.notEqual(contentHash(channel, fields), contentHash("SMS", SMS), what);
    }
  });

  it("is another one for other values of a template, and for the same ones in another order", () => {
    const of = (...values: string[]) =>
      contentHash("WhatsApp", {
        templateName: "order",
        localizableParams: values.map((value) => ({ default: value })),
      });
    assert.equal(of("a", "b"), of("a", "b"));
    assert.notEqual(of("a", "b"), of("b", "a"));
    assert.notEqual(of("a", "b"), of("a"));
  });
});
