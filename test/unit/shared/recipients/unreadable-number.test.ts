import assert from "node:assert/strict";
import {
  readUnreadable,
  recipientsAsGiven,
  writeUnreadable,
} from "../../../../lib/shared/recipients/unreadable-number";

describe("a recipient that could not be read as a number", () => {
  for (const [text, row] of [
    ["079 12a", 7],
    ["Anna", null],
    ["", 3],
    ["12 ? 3", 1],
    ["? 5", null],
  ] as const) {
    it(`comes back as it was given: ${JSON.stringify(text)} in row ${row}`, () => {
      const kept = writeUnreadable({ text, row });
      assert.doesNotMatch(kept, /^\d+$/, "it could be the number of somebody");
      assert.deepEqual(readUnreadable(kept), { text, row });
    });
  }

  it("is none where the store has a number", () => {
    assert.equal(readUnreadable("41790000001"), null);
    const numbers = ["41790000001", "41790000002"];
    assert.equal(recipientsAsGiven(numbers), numbers, "the list of every message, which is not copied");
  });

  it("is in a result without its place, and not at all where nothing was given", () => {
    assert.deepEqual(recipientsAsGiven(["?2 Anna", "?3 ", "?4 12"]), ["Anna", "12"]);
  });
});
