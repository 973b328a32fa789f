import assert from "node:assert/strict";
import { checkRcsMessage } from "../../../../lib/gateway/contract/rcs-schemas";
import { expandSuggestions } from "../../../../nodes/rcs-send/runtime/rcs-suggestions";
import {
  blankSuggestion,
  buildSuggestion,
  readSuggestion,
  readSuggestions,
  type SuggestionDraft,
  type SuggestionKind,
  writeSuggestions,
} from "../../../../nodes/rcs-send/editor/suggestion-model";

const event = { startTime: "2030-01-01T09:00:00Z", endTime: "2030-01-01T10:00:00Z", title: "Soup" };
const action = (rest: object): object => ({ action: { displayText: "Go", ...rest } });

const READ: readonly (readonly [written: unknown, kind: SuggestionKind, fields: Record<string, string>])[] = [
  ["Go", "reply", {}],
  [{ text: "Go", data: "x" }, "reply", {}],
  [{ reply: { displayText: "Go", postback: { data: "x" } } }, "reply", {}],
  [{ text: "Go", url: "https://a.example" }, "url", { url: "https://a.example" }],
  [action({ urlAction: { openUrl: { url: "https://a.example" } } }), "url", { url: "https://a.example" }],
  [{ text: "Go", phone: "+41 79 123 45 67", data: "x" }, "phone", { phone: "+41 79 123 45 67" }],
  [action({ dialerAction: { dialPhoneNumber: { phoneNumber: "+4179" } } }), "phone", { phone: "+4179" }],
  [{ text: "Go", place: "Bern" }, "place", { place: "Bern" }],
  [action({ mapAction: { showLocation: { location: { query: "Bern" } } } }), "place", { place: "Bern" }],
  [
    { text: "Go", place: { latitude: 46.95, longitude: 7 } },
    "coordinates",
    { latitude: "46.95", longitude: "7" },
  ],
  [action({ mapAction: { requestLocationPush: {} }, postback: { data: "x" } }), "share", {}],
  [
    action({ calendarAction: { createCalendarEvent: event } }),
    "calendar",
    { startTime: event.startTime, endTime: event.endTime, eventTitle: "Soup" },
  ],
];

const OTHERS: readonly unknown[] = [
  null,
  true,
  ["Go"],
  { url: "https://a.example" },
  { text: "Go", url: "https://a.example", extra: 1 },
  { text: 5 },
  { text: "Go", data: 5 },
  { reply: { displayText: "Go" } },
  { reply: { displayText: "Go", postback: { data: "x", more: 1 } } },
  action({ urlAction: { openUrl: { url: "https://a.example", viewMode: "FULL" } } }),
  action({ deviceAction: { requestDeviceSpecifics: {} } }),
  action({ mapAction: { requestLocationPush: { why: 1 } } }),
];

describe("suggestions in the composer", () => {
  for (const [written, kind, fields] of READ) {
    it(`reads ${JSON.stringify(written)} as ${kind}`, () => {
      const draft = readSuggestion(written);
      assert.deepEqual([draft.kind, draft.text, draft.fields], [kind, "Go", fields]);
      assert.deepEqual(buildSuggestion(draft), written);
    });
  }

  it("keeps values without a field unchanged", () => {
    for (const written of OTHERS) {
      const draft = readSuggestion(written);
      assert.equal(draft.kind, "other", JSON.stringify(written));
      assert.deepEqual(buildSuggestion(draft), written);
    }
  });

  it("writes what the service accepts, after any edit", () => {
    const changed = READ.map(([written]) => {
      const draft = readSuggestion(written);
      draft.text = "Changed";
      draft.fields.phone &&= "+41791234567";
      return draft;
    });
    const written: unknown = JSON.parse(writeSuggestions(changed));
    for (const one of expandSuggestions(written) as unknown[]) {
      checkRcsMessage({ textMessage: "x", suggestedChipList: { suggestions: [one] } });
      assert.match(JSON.stringify(one), /"displayText":"Changed"/);
    }
  });

  it("writes only values of the chosen kind", () => {
    const draft: SuggestionDraft = { ...blankSuggestion("Go"), fields: { url: "https://a.example" } };
    assert.equal(buildSuggestion(draft), "Go");
    draft.kind = "url";
    assert.deepEqual(buildSuggestion(draft), { text: "Go", url: "https://a.example" });
  });

  it("returns why a text is not a list", () => {
    assert.deepEqual(readSuggestions(" "), { items: [], fault: null });
    assert.deepEqual(readSuggestions('"Yes"').fault, { rule: "not-a-list" });
    assert.equal(readSuggestions("[").fault?.rule, "not-json");
  });
});
