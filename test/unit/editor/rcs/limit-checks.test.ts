import assert from "node:assert/strict";
import { blankCard, type CardDraft, type MediaKey } from "../../../../lib/editor/rcs/card-model";
import {
  checkCard,
  checkCardCount,
  checkSuggestion,
  checkSuggestionCount,
  type Fault,
} from "../../../../lib/editor/rcs/limit-checks";
import { readSuggestion } from "../../../../lib/editor/rcs/suggestion-model";
import { RCS_LIMITS } from "../../../../lib/shared/fields/rcs-limits";

const brief = (faults: readonly Fault[]): readonly string[] =>
  faults.map(({ field, rule }) => `${field} ${rule}`);

const SUGGESTIONS: readonly (readonly [written: unknown, ...faults: string[]])[] = [
  ["x".repeat(RCS_LIMITS.displayText)],
  ["x".repeat(RCS_LIMITS.displayText + 1), "text too-long"],
  ["", "text required"],
  [{ text: "Go", data: "x".repeat(RCS_LIMITS.postbackData + 1) }, "data too-long"],
  [{ text: "Go", url: "" }, "url required"],
  [{ text: "Go", url: "example" }, "url composer-link"],
  [{ text: "Go", phone: "+41 (79) 123-45-67" }],
  [{ text: "Go", phone: "079 123 45 67" }, "phone composer-phone"],
  [{ text: "Go", place: { latitude: 91, longitude: 7 } }, "latitude out-of-range"],
  [{ text: "Go", place: { latitude: 9, longitude: -181 } }, "longitude out-of-range"],
  [{ anything: "else" }],
];

const PICTURE = {
  mediaUrl: "https://a/b.jpg",
  mediaContentType: "image/jpeg",
  mediaFileSize: "1",
  height: "TALL_HEIGHT",
};
const card = (more: Partial<CardDraft>, media: Partial<Record<MediaKey, string>> = {}): CardDraft => {
  const blank = blankCard();
  return { ...blank, ...more, media: { ...blank.media, ...media } };
};

const CARDS: readonly (readonly [name: string, card: CardDraft, small: boolean, ...faults: string[]])[] = [
  ["title alone", card({ title: "x".repeat(RCS_LIMITS.title) }), false],
  ["nothing", card({}), false, " composer-empty"],
  ["long title", card({ title: "x".repeat(RCS_LIMITS.title + 1) }), false, "title too-long"],
  ["picture alone", card({}, PICTURE), false],
  ["tall picture in a small card", card({}, PICTURE), true, "height composer-tall"],
  [
    "address alone",
    card({}, { mediaUrl: "a.jpg" }),
    false,
    "mediaContentType composer-picture",
    "mediaFileSize composer-picture",
    "height composer-picture",
    "mediaUrl url",
  ],
  [
    "preview alone",
    card({}, { ...PICTURE, thumbnailUrl: "https://a/c.jpg" }),
    false,
    "thumbnailContentType composer-preview",
    "thumbnailFileSize composer-preview",
  ],
  [
    "height without a picture",
    card({ title: "x" }, { ...PICTURE, mediaUrl: "" }),
    false,
    "mediaUrl composer-no-picture",
  ],
  ["size in words", card({}, { ...PICTURE, mediaFileSize: "1 kB" }), false, "mediaFileSize not-whole"],
  [
    "five suggestions",
    card({ title: "x", suggestions: Array.from("abcde", readSuggestion) }),
    false,
    "suggestions too-many",
  ],
];

describe("limits in the composer", () => {
  for (const [written, ...faults] of SUGGESTIONS) {
    it(`suggestion ${JSON.stringify(written).slice(0, 50)}: ${faults.join(", ") || "fine"}`, () => {
      assert.deepEqual(brief(checkSuggestion(readSuggestion(written))), faults);
    });
  }

  for (const [name, draft, small, ...faults] of CARDS) {
    it(`card with ${name}: ${faults.join(", ") || "fine"}`, () => {
      assert.deepEqual(brief(checkCard(draft, small)), faults);
    });
  }

  it("counts cards and suggestions", () => {
    assert.deepEqual(checkCardCount(1)?.values, { min: 2, count: 1 });
    assert.equal(checkCardCount(2), null);
    assert.equal(checkCardCount(10), null);
    assert.equal(checkCardCount(11)?.rule, "composer-many-cards");
    assert.equal(checkSuggestionCount(4, 4), null);
    assert.deepEqual(checkSuggestionCount(5, 4)?.values, { max: 4, count: 5 });
  });
});
