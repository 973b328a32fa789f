import assert from "node:assert/strict";
import { PatternMatcher } from "../../../../lib/runtime/message-wait/pattern-matcher";

describe("patterns of replies", () => {
  const patterns = new PatternMatcher();

  it("are found anywhere in the text, in any case, in characters and not in halves of them", async () => {
    const find = (text: string): Promise<boolean | null> =>
      patterns.find(String.raw`^(?:yes|ja)\b|^.$`, text);
    for (const text of ["Yes, of course", "JA", "👍", "x"]) {
      assert.equal(await find(text), true, text);
    }
    for (const text of ["oh yes", "yesterday", "", "👍👍"]) {
      assert.equal(await find(text), false, text);
    }
  });

  it("see the first 1,000 characters", async () => {
    assert.equal(await patterns.find("yes", `${"-".repeat(997)}yes`), true);
    assert.equal(await patterns.find("yes", `${"-".repeat(998)}yes`), false);
  });
});
