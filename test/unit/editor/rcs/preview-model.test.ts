import assert from "node:assert/strict";
import { type Held, previewOf } from "../../../../lib/editor/rcs/preview-model";

const BLANK: Held = { source: "blank", value: "" };
const preview = (kind: string, fields: Readonly<Record<string, Held>>) =>
  previewOf(
    kind,
    (name) => fields[name] ?? BLANK,
    (source, value) => `${source}.${value}`,
  );
const str = (value: string): Held => ({ source: "str", value });

describe("preview of an RCS message", () => {
  it("shows a text, and a token for a value from the flow", () => {
    assert.deepEqual(preview("text", { textMessage: str("Hello") }).bubble, {
      icon: null,
      text: { text: "Hello", token: false },
    });
    assert.deepEqual(preview("text", { textMessage: { source: "msg", value: "payload" } }).bubble?.text, {
      text: "⟨msg.payload⟩",
      token: true,
    });
  });

  it("shows a card with its picture's name, and its suggestions from a list or from JSON", () => {
    const { cards, chips, layout } = preview("card", {
      title: str("Monday"),
      description: { source: "flow", value: "soup" },
      cardLayout: { source: "choice", value: "LEFT" },
      mediaUrl: str("https://a.example/pictures/soup.jpg?w=9"),
      cardSuggestions: {
        source: "json",
        value: '["Yes",{"text":"Call","phone":"+41791234567"},{"reply":{"displayText":"Odd"}}]',
      },
      suggestions: {
        source: "list",
        value: [
          { source: "str", value: "Later" },
          { source: "msg", value: "x" },
        ],
      },
    });
    assert.equal(layout, "LEFT");
    assert.deepEqual(cards, [
      {
        picture: {
          name: { text: "soup.jpg", token: false },
          url: "https://a.example/pictures/soup.jpg?w=9",
          height: "",
        },
        title: { text: "Monday", token: false },
        description: { text: "⟨flow.soup⟩", token: true },
        chips: [
          { kind: "reply", text: { text: "Yes", token: false } },
          { kind: "phone", text: { text: "Call", token: false } },
          { kind: "other", text: { text: "Odd", token: false } },
        ],
      },
    ]);
    assert.deepEqual(
      chips.map(({ text }) => text.text),
      ["Later", "⟨msg.x⟩"],
    );
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
    assert.deepEqual(
      cards.map(({ title, chips }) => [title?.text, chips.length]),
      [
        ["a", 0],
        ["b", 1],
      ],
    );
    const unknown = preview("carousel", { cards: { source: "msg", value: "payload" } });
    assert.deepEqual(
      unknown.cards.map(({ title }) => title?.text),
      ["⟨msg.payload⟩"],
    );
  });
});
