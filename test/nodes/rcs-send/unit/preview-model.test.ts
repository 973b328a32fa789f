import assert from "node:assert/strict";
import { type Held, toPreview } from "../../../../nodes/rcs-send/editor/preview-model";

const BLANK: Held = { source: "blank", value: "" };
const preview = (kind: string, fields: Readonly<Record<string, Held>>) =>
  toPreview(
    kind,
    (name) => fields[name] ?? BLANK,
    (source, value) => `${source}.${value}`,
  );
const str = (value: string): Held => ({ source: "str", value });

const plain = (text: string) => ({ text, token: false });
const token = (text: string) => ({ text, token: true });

describe("preview of an RCS message", () => {
  it("shows a text, and a token for a value from the flow", () => {
    const bubbleOf = (textMessage: Held) => preview("text", { textMessage }).bubble;
    assert.deepEqual(bubbleOf(str("Hello")), { icon: null, text: plain("Hello") });
    assert.deepEqual(bubbleOf({ source: "msg", value: "payload" })?.text, token("⟨msg.payload⟩"));
  });

  it("shows the picture's name of a card, and suggestions from a list or JSON", () => {
    const url = "https://a.example/pictures/soup.jpg?w=9";
    const written = '["Yes",{"text":"Call","phone":"+41791234567"},{"reply":{"displayText":"Odd"}}]';
    const later = [str("Later"), { source: "msg", value: "x" }] as never;
    const { cards, chips, layout } = preview("card", {
      title: str("Monday"),
      description: { source: "flow", value: "soup" },
      cardLayout: { source: "choice", value: "LEFT" },
      mediaUrl: str(url),
      cardSuggestions: { source: "json", value: written },
      suggestions: { source: "list", value: later },
    });
    assert.equal(layout, "LEFT");
    assert.deepEqual(cards, [
      {
        picture: { name: plain("soup.jpg"), url, height: "" },
        title: plain("Monday"),
        description: token("⟨flow.soup⟩"),
        chips: [
          { kind: "reply", text: plain("Yes") },
          { kind: "phone", text: plain("Call") },
          { kind: "other", text: plain("Odd") },
        ],
      },
    ]);
    const texts = chips.map(({ text }) => text.text);
    assert.deepEqual(texts, ["Later", "⟨msg.x⟩"]);
  });

  it("offers to load only known https URLs", () => {
    const urlOf = (mediaUrl: Held) => preview("card", { mediaUrl }).cards[0]?.picture?.url;
    assert.equal(urlOf(str("https://a.example/a.jpg")), "https://a.example/a.jpg");
    assert.equal(urlOf(str("http://a.example/a.jpg")), null);
    assert.equal(urlOf(str("javascript:alert(1)")), null);
    assert.equal(urlOf({ source: "msg", value: "https://a.example/a.jpg" }), null);
  });

  it("shows the cards of a carousel, or a token for the whole", () => {
    const cardWidth: Held = { source: "choice", value: "SMALL_WIDTH" };
    const json: Held = { source: "json", value: '[{"title":"a"},{"title":"b","suggestions":["c"]}]' };
    const { cards, small } = preview("carousel", { cards: json, cardWidth });
    assert.equal(small, true);
    const shown = cards.map(({ title, chips }) => `${title?.text}: ${chips.length}`);
    assert.deepEqual(shown, ["a: 0", "b: 1"]);
    const unknown = preview("carousel", { cards: { source: "msg", value: "payload" } });
    assert.deepEqual([unknown.cards.length, unknown.cards[0]?.title?.text], [1, "⟨msg.payload⟩"]);
  });
});
