import assert from "node:assert/strict";
import { RefusedCalls } from "../../../../lib/runtime/webhook/refused-calls";

describe("RefusedCalls", () => {
  it("counts the calls of an account with the last three reasons", () => {
    const calls = new RefusedCalls();
    calls.add("a1", "n1", "empty", 1);
    for (const at of [2, 5]) calls.add("a1", "n1", "wrong-credentials", at);
    calls.add("a1", "n2", "not-json", 3);
    calls.add("", "n3", "charset", 4);
    calls.add("a2", "n4", "aborted", 6);
    const { count, reasons } = calls.view("a1");
    assert.equal(count, 5);
    assert.deepEqual(
      reasons.map(({ reason, times, node, code }) => [reason, times, node, code]),
      [
        ["wrong-credentials", 2, "n1", 401],
        ["charset", 1, "n3", 415],
        ["not-json", 1, "n2", 400],
      ],
    );
    assert.deepEqual(calls.view("a3").count, 1, "a webhook without an account");
  });
});
