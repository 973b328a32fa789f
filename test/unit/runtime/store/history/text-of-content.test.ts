import assert from "node:assert/strict";
import { faultContent } from "../../../../../lib/gateway/queue/stored-content";
import { localVerdict } from "../../../../../lib/gateway/codec/verdict";
import { textOfContent } from "../../../../../lib/runtime/store/history/text-of-content";

const rcs = (message: object): object => ({ rcsPayload: { RCSMessage: message, messageContact: {} } });
const card = (title?: string, description?: string): object => ({
  title,
  description,
  media: { mediaUrl: "x" },
});
const rich = (message: object): object => rcs({ richcardMessage: { message } });

const CASES: readonly (readonly [title: string, operation: string, fields: unknown, text: string])[] = [
  ["an SMS", "sms-json", { messageContent: "Hello" }, "Hello"],
  ["a broadcast", "whatsapp-broadcast", { messageContent: "Hello", attachmentId: 1 }, "Hello"],
  ["a WhatsApp text", "whatsapp-text", { applicationId: "a", content: "Hello" }, "Hello"],
  ["a picture without words", "whatsapp-media", { mediaId: "m", content: "" }, ""],
  [
    "a template",
    "whatsapp-template",
    {
      templateName: "reminder",
      templateLocale: "en",
      localizableParams: [{ default: "Ada" }, { default: "10:00" }],
    },
    "reminder: Ada, 10:00",
  ],
  [
    "a template without values",
    "whatsapp-template",
    { templateName: "hello", templateLocale: "en" },
    "hello",
  ],
  ["an RCS text", "rcs", rcs({ textMessage: "Hello", suggestedChipList: {} }), "Hello"],
  [
    "an RCS card",
    "rcs",
    rich({ generalPurposeCard: { content: card("Offer", "Half price") } }),
    "Offer\nHalf price",
  ],
  [
    "RCS cards",
    "rcs",
    rich({ generalPurposeCardCarousel: { content: [card("One"), card(undefined, "Two")] } }),
    "One\nTwo",
  ],
  ["an RCS file", "rcs", rcs({ fileMessage: { fileUrl: "https://x", fileName: "menu.pdf" } }), "menu.pdf"],
  ["a place", "rcs", rcs({ geolocationPushMessage: { pos: "1,2", label: "Shop" } }), "Shop"],
  ["any RCS payload of a flow", "rcs", { rcsPayload: { RCSMessage: [1] } }, ""],
  ["an operation of a later version", "letter", { content: 7 }, ""],
  ["what is no object", "sms-json", [1], ""],
];

describe("the text of a stored message", () => {
  it("returns the text that the recipient reads on any channel", () => {
    for (const [title, operation, fields, text] of CASES) {
      assert.equal(textOfContent(operation, JSON.stringify(fields)), text, title);
    }
  });

  it("returns a blank text for a part that is not sent", () => {
    assert.equal(textOfContent("sms-json", faultContent(localVerdict("QUEUE_FULL"))), "");
  });
});
