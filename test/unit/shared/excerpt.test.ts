import assert from "node:assert/strict";
import { excerpt } from "../../../lib/shared/excerpt";

describe("an excerpt of a text", () => {
  const CASES: readonly (readonly [text: string, longest: number, shown: string])[] = [
    ["", 3, ""],
    ["abc", 3, "abc"],
    ["abcd", 3, "abc…"],
    ["ab😀", 4, "ab😀"],
    ["ab😀c", 4, "ab😀…"],
    ["ab😀c", 3, "ab…"],
    ["ab😀c", 2, "ab…"],
    ["abc", 0, "…"],
  ];
  for (const [text, longest, shown] of CASES) {
    it(`of ${longest} units of ${JSON.stringify(text)} is ${shown}`, () =>
      assert.equal(excerpt(text, longest), shown));
  }

  it("has another ellipsis on request", () => assert.equal(excerpt("a😀b", 2, " …"), "a …"));
});
