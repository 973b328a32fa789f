import assert from "node:assert/strict";
import { matchPath } from "../../../../simulator/request/match-path";

describe("simulator: paths", () => {
  const cases: [string, string, Record<string, string> | null][] = [
    ["/a/b", "/a/b", {}],
    ["/a/b", "/a/b/", null],
    ["/a/b", "/A/b", null],
    ["/a/b", "/a", null],
    ["/a/{id}", "/a/7", { id: "7" }],
    ["/a/{id}", "/a/", null],
    ["/a/{id}", "/a", null],
    ["/a/{id}", "/a/7/b", null],
    ["/a/{id}/c", "/a/7/c", { id: "7" }],
    ["/a/{id}/c", "/a/7/d", null],
    ["/a/x{id}", "/a/x7", null],
  ];
  for (const [pattern, path, expected] of cases)
    it(`${path} ${expected ? "fits" : "does not fit"} ${pattern}`, () =>
      assert.deepEqual(matchPath(pattern, path), expected));
});
