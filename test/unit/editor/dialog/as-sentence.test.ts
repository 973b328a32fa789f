import assert from "node:assert/strict";
import { asSentence } from "../../../../lib/editor/dialog/as-sentence";

describe("a reason below an input", () => {
  it("begins with a capital letter where it begins with a word", () => {
    assert.equal(asSentence("must not be blank"), "Must not be blank");
    assert.equal(asSentence("ändert sich"), "Ändert sich");
    assert.equal(asSentence("required"), "Required");
  });

  it("leaves what a person typed as it was typed", () => {
    for (const reason of [
      "“anna”: is not a phone number",
      "„anna“: ist keine Telefonnummer",
      "msg.payload holds no value",
      "http://example.com is not encrypted",
      "example.com is not an address",
      "Must be a number",
      "",
    ]) {
      assert.equal(asSentence(reason), reason);
    }
  });
});
