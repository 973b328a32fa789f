import assert from "node:assert/strict";
import { blankCard, type CardDraft, type MediaKey } from "../../../../nodes/rcs-send/editor/card-model";
import {
  checkCard,
  checkCardCount,
  checkSuggestion,
  checkSuggestionCount,
  type Fault,
} from "../../../../nodes/rcs-send/editor/limit-checks";
import { readSuggestion } from "../../../../nodes/rcs-send/editor/suggestion-model";
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

const PICTURE: Partial<Record<MediaKey, string>> = {
  ...{ mediaUrl: "https://a/b.jpg", mediaContentType: "image/jpeg", mediaFileSize: "1" },
  height: "TALL_HEIGHT",
};
const card = (more: Partial<CardDraft>, media: Partial<Record<MediaKey, string>> = {}): CardDraft => {
  const blank = blankCard();
  return { ...blank, ...more, media: { ...blank.media, ...media } };
};
const pictured = (media: Partial<Record<MediaKey, string>> = {}) => card({}, { ...PICTURE, ...media });
const titled = (more: Partial<CardDraft> = {}) => card({ title: "x", ...more });
const fiveSuggestions = Array.from("abcde", readSuggestion);

const CARDS: readonly (readonly [name: string, card: CardDraft, ...faults: string[]])[] = [
  ["title alone", titled({ title: "x".repeat(RCS_LIMITS.title) })],
  ["nothing", card({}), " composer-empty"],
  ["long title", titled({ title: "x".repeat(RCS_LIMITS.title + 1) }), "title too-long"],
  ["picture alone", pictured()],
  [
    "address alone",
    card({}, { mediaUrl: "a.jpg" }),
    ...["mediaContentType", "mediaFileSize", "height"].map((field) => `${field} composer-picture`),
    "mediaUrl url",
  ],
  [
    "preview alone",
    pictured({ thumbnailUrl: "https://a/c.jpg" }),
    ...["thumbnailContentType", "thumbnailFileSize"].map((field) => `${field} composer-preview`),
  ],
  [
    "height without a picture",
    card({ title: "x" }, { ...PICTURE, mediaUrl: "" }),
    "mediaUrl composer-no-picture",
  ],
  ["size in words", pictured({ mediaFileSize: "1 kB" }), "mediaFileSize not-whole"],
  ["five suggestions", titled({ suggestions: fiveSuggestions }), "suggestions too-many"],
];

describe("limits in the composer", () => {
  for (const [written, ...faults] of SUGGESTIONS) {
    it(`suggestion ${JSON.stringify(written).slice(0, 50)}: ${faults.join(", ") || "fine"}`, () => {
      assert.deepEqual(brief(checkSuggestion(readSuggestion(written))), faults);
    });
  }

  for (const [name, draft, ...faults] of CARDS) {
    it(`card with ${name}: ${faults.join(", ") || "fine"}`, () => {
      assert.deepEqual(brief(checkCard(draft, false)), faults);
    });
  }

  it("card with tall picture in a small card: height composer-tall", () => {
    assert.deepEqual(brief(checkCard(pictured(), true)), ["height composer-tall"]);
  });

  it("counts cards and suggestions", () => {
    assert.deepEqual(checkCardCount(1)?.values, { min: 2, count: 1 });
    assert.equal(checkCardCount(2), null);
    assert.equal(checkCardCount(10), null);
    assert.equal(checkCardCount(11)?.rule, "composer-many-cards");
    assert.equal(checkSuggestionCount(4, 4), null);
    assert.deepEqual(checkSuggestionCount(5, 4)?.values, { max: 4, count: 5 });
  });
});
