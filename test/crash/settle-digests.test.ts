import assert from "node:assert/strict";
import { settleDigests } from "../support/crash/digest-hand-in";
import type { SeenDigest } from "../support/crash/flow-log";

const seen = (given: Partial<SeenDigest> = {}): SeenDigest => ({
  id: "digest-1",
  key: "pump 1",
  count: 2,
  ids: ["a", "b"],
  over: false,
  restored: false,
  life: 0,
  ...given,
});
/** Two messages that were gathered, and one that was not answered. */
const settle = (...digests: readonly SeenDigest[]) =>
  settleDigests(
    { handed: new Map(["a", "b", "c"].map((id) => [id, "pump 1"])), taken: new Set(["a", "b"]) },
    [{ digests: [...digests] }, { digests: [seen({ count: 0, ids: [], over: true })] }],
  );

describe("what the crash and the cluster suite find of digests", () => {
  for (const [what, digests] of Object.entries({
    "one digest": [seen()],
    "with it what was not answered": [seen({ count: 3, ids: ["a", "b", "c"] })],
    "one that left once more": [seen(), seen({ restored: true, life: 1 })],
    "one that was seen only then": [seen({ restored: true })],
  })) {
    it(`lets pass: ${what}`, () => {
      const { lost, breaches } = settle(...digests);
      assert.deepEqual([lost, breaches], [[], []]);
    });
  }

  for (const [what, digests, message] of [
    ["one that left twice", [seen(), seen()], /a left 2 times, more than once without a mark/],
    ["one message in two digests", [seen(), seen({ id: "digest-2", restored: true })], /different digests/],
    ["one that left with others", [seen(), seen({ count: 1, ids: ["b"], restored: true })], /different/],
    ["a wrong number", [seen({ count: 3 })], /says 3, and lists a, b/],
    ["a message twice", [seen({ ids: ["a", "a"] })], /says 2, and lists a, a/],
    ["another key", [seen({ key: "pump 2" })], /a was not handed in for pump 2/],
  ] as const) {
    it(`finds: ${what}`, () => {
      assert.match(settle(...digests).breaches.join("\n"), message);
    });
  }

  it("finds what no flow saw", () => {
    assert.deepEqual(settle(seen({ count: 1, ids: ["b"] })).lost, ["a"]);
  });
});
