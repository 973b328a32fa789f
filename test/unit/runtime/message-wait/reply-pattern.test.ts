import assert from "node:assert/strict";
import { replyPattern } from "../../../../lib/runtime/message-wait/reply-pattern";
import { SetupError } from "../../../../lib/shared/messaging-error";

describe("replyPattern", () => {
  it("matches anywhere, in any case, and takes an emoji as one character", () => {
    const isMeant = replyPattern(String.raw`^(?:yes|ja)\b|^.$|\u{1F44E}`);
    for (const text of ["Yes, of course", "JA", "👍", "x", "no 👎"]) {
      assert.equal(isMeant(text), true, text);
    }
    for (const text of ["oh yes", "yesterday", "", "👍👍"]) {
      assert.equal(isMeant(text), false, text);
    }
  });

  it("takes the digits of all scripts for 0 to 9", () => {
    for (const pattern of ["^[1-5]$", "^١$"]) {
      assert.deepEqual(["1", "١", "१", "٧"].map(replyPattern(pattern)), [true, true, true, false]);
    }
  });

  it("reads the first 1,000 characters of a reply", () => {
    assert.equal(replyPattern("yes")(`${"-".repeat(997)}yes`), true);
    assert.equal(replyPattern("yes")(`${"-".repeat(998)}yes`), false);
  });

  it("compares nested repetitions with a hostile reply in linear time", () => {
    for (const pattern of [String.raw`^(\w+\s?)*$`, "(x+x+)+y", "^(a|aa)+$"]) {
      const isMeant = replyPattern(pattern);
      const start = process.cpuUsage();
      assert.equal(isMeant(`${"a".repeat(999)}!`), false, pattern);
      assert.ok(process.cpuUsage(start).user < 1_000_000, pattern);
    }
  });

  it("refuses a pattern that the engine does not have, or that is too large", () => {
    for (const [pattern, reason] of [
      ["a{1001}", /invalid repeat count/],
      [String.raw`(?:\p{L}{0,31}\b){0,31}`, /expression too large/],
    ] as const) {
      assert.throws(
        () => replyPattern(pattern),
        (error) => error instanceof SetupError && reason.test(error.message),
      );
    }
  });
});
