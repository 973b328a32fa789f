import assert from "node:assert/strict";
import { blankCard, readCards, writeCards } from "../../../../nodes/rcs-send/editor/card-model";
import { blankSuggestion } from "../../../../nodes/rcs-send/editor/suggestion-model";

const MENU = JSON.stringify([
  {
    "x-note": "ours",
    description: "Soup",
    title: "Monday",
    media: {
      ...{ mediaUrl: "https://a.example/a.jpg", mediaContentType: "image/jpeg", mediaFileSize: 48211 },
      ...{ height: "TALL_HEIGHT", crop: "none" },
    },
    suggestions: ["Order", { text: "Menu", url: "https://a.example" }],
  },
  { title: "Tuesday", media: {}, suggestions: [] },
  { title: "Wednesday", suggestions: "Order" },
]);

const read = (json: string) => readCards(json).items ?? assert.fail("was not read");

describe("cards in the composer", () => {
  it("writes what it has read, with every key", () => {
    assert.equal(writeCards(read(MENU)), MENU);
  });

  it("writes only edited values, and keeps unknown keys", () => {
    const cards = read(MENU);
    const [first] = cards;
    assert.ok(first);
    first.title = "";
    first.media.mediaFileSize = "5";
    first.suggestions.pop();
    const expected = JSON.parse(MENU);
    delete expected[0].title;
    expected[0].media.mediaFileSize = 5;
    expected[0].suggestions = ["Order"];
    assert.deepEqual(JSON.parse(writeCards(cards)), expected);
  });

  it("deletes emptied lists and pictures", () => {
    const [, , card] = read(MENU);
    assert.ok(card);
    card.suggestions = [];
    card.media.mediaUrl = "https://a.example/b.jpg";
    assert.deepEqual(JSON.parse(writeCards([card])), [
      { title: "Wednesday", media: { mediaUrl: "https://a.example/b.jpg" } },
    ]);
    const [again] = read(writeCards([card]));
    assert.ok(again);
    again.media.mediaUrl = "";
    assert.deepEqual(JSON.parse(writeCards([again])), [{ title: "Wednesday" }]);
  });

  it("writes a new card without blank values", () => {
    const card = { ...blankCard(), title: "New", suggestions: [blankSuggestion("Yes")] };
    assert.equal(writeCards([card]), '[{"title":"New","suggestions":["Yes"]}]');
  });

  const refused: readonly (readonly [json: string, rule: string, what?: string | number])[] = [
    ["{}", "not-a-list"],
    ["[{]", "not-json"],
    ['[{"title":"a"},5]', "not-an-object", 2],
    ['[{"title":5}]', "not-a-text", "1: title"],
    ['[{"media":"a.jpg"}]', "not-an-object", "1: media"],
    ['[{"media":{"height":1}}]', "not-a-text", "1: height"],
  ];
  for (const [json, rule, what] of refused) {
    it(`steps aside for ${json}`, () => {
      const { items, fault } = readCards(json);
      assert.equal(items, null);
      assert.equal(fault?.rule, rule);
      if (what !== undefined) {
        assert.equal(fault?.values?.what, what);
      }
    });
  }
});
