import assert from "node:assert/strict";
import { contentHash } from "../../../../lib/runtime/guards/content-hash";

const SMS = { messageContent: "Your order is ready", senderAddress: "Shop" };
const rcs = (message: object, contact = "+41790000001") => ({
  rcsPayload: { RCSMessage: message, messageContact: { userContact: contact } },
});

describe("the hash of a content", () => {
  it("has 22 characters", () => {
    assert.match(contentHash("SMS", SMS), /^[\w-]{22}$/);
  });

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

  it("does not depend on the content before", () => {
    const contents = [
      SMS,
      { ...SMS, messageContent: "Your order is late" },
      { ...SMS, text: undefined },
      { messageContent: SMS.messageContent },
      { ...SMS, values: ["a"] },
      { ...SMS, values: ["b"] },
    ];
    const alone = contents.map((each) => {
      contentHash("RCS", {});
      return contentHash("SMS", each);
    });
    for (const [at, each] of contents.entries()) {
      for (const before of contents) {
        contentHash("SMS", before);
        assert.equal(contentHash("SMS", each), alone[at]);
      }
    }
    assert.equal(new Set(alone).size, 5);
  });

  it("is the same in whichever order a flow sets the fields", () => {
    const { messageContent, senderAddress } = SMS;
    assert.equal(contentHash("SMS", { senderAddress, messageContent }), contentHash("SMS", SMS));
    assert.equal(
      contentHash("RCS", rcs({ textMessage: "x", trafficType: "otp" })),
      contentHash("RCS", rcs({ trafficType: "otp", textMessage: "x" })),
    );
  });

  it("is the same for an RCS message to another person, and one that expires later", () => {
    const hash = contentHash("RCS", rcs({ textMessage: "x" }));
    assert.equal(contentHash("RCS", rcs({ textMessage: "x" }, "+41790000002")), hash);
    assert.equal(contentHash("RCS", rcs({ textMessage: "x", expiry: "2030-12-31T18:00:00Z" })), hash);
    assert.notEqual(contentHash("RCS", rcs({ textMessage: "y" })), hash);
  });

  const others: readonly (readonly [what: string, channel: string, fields: Record<string, unknown>])[] = [
    ["text", "SMS", { ...SMS, messageContent: "Your order is late" }],
    ["sender", "SMS", { ...SMS, senderAddress: "Store" }],
    ["type", "SMS", { ...SMS, messageType: "voice" }],
    ["category", "SMS", { ...SMS, contentCategory: "advertisement" }],
    ["channel", "WhatsApp", SMS],
  ];
  for (const [what, channel, fields] of others) {
    it(`is another one for another ${what}`, () => {
      assert.notEqual(contentHash(channel, fields), contentHash("SMS", SMS));
    });
  }

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
