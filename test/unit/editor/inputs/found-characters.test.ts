import assert from "node:assert/strict";
import { findCharacters, nameCharacter } from "../../../../lib/editor/inputs/found-characters";
import { isOutsideGsm } from "../../../../lib/shared/sms-segments";

describe("findCharacters", () => {
  it("returns each character once, with its first index in UTF-16 units", () => {
    assert.deepEqual(findCharacters("😀 ő 😀 ’ő", isOutsideGsm), [
      { character: "😀", index: 0 },
      { character: "ő", index: 3 },
      { character: "’", index: 8 },
    ]);
  });

  it("stops at the requested number", () => {
    assert.deepEqual(findCharacters("őűαβ", isOutsideGsm, 2), [
      { character: "ő", index: 0 },
      { character: "ű", index: 1 },
    ]);
    assert.deepEqual(findCharacters("plain", isOutsideGsm), []);
  });
});

describe("nameCharacter", () => {
  for (const [character, name] of [
    ["€", "€ U+20AC"],
    ["😀", "😀 U+1F600"],
    ["\u00a0", "U+00A0"],
    ["\t", "U+0009"],
    ["\u200b", "U+200B"],
    ["\ud83d", "U+D83D"],
  ] as const) {
    it(`names ${name}`, () => assert.equal(nameCharacter(character), name));
  }
});
