import assert from "node:assert/strict";
import { tellApart } from "../../../../lib/editor/activity/accounts/tell-apart";

describe("tellApart", () => {
  const told = (labels: readonly string[], ...additions: readonly (readonly string[])[]): readonly string[] =>
    tellApart(labels, ...additions.map((each) => (at: number) => each[at] ?? ""));

  it("leaves labels alone that are there once", () => {
    assert.deepEqual(told(["a", "b"], [" (x)", " (y)"]), ["a", "b"]);
  });

  it("adds only where labels are still the same, one addition after the other", () => {
    assert.deepEqual(
      told(["a", "a", "a", "b"], [" (1)", " (1)", " (2)", " (1)"], [" · x", " · y", " · z", " · x"]),
      ["a (1) · x", "a (1) · y", "a (2)", "b"],
    );
  });

  it("numbers what no addition tells apart", () => {
    assert.deepEqual(told(["a", "b", "a", "a"], ["", "", "", " (2)"]), ["a · 1", "b", "a · 2", "a (2)"]);
  });
});
