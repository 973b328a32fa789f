import assert from "node:assert/strict";
import fc from "fast-check";
import { FieldError, SetupError } from "../../../lib/shared/messaging-error";
import { quoteValue } from "../../../lib/texts/quote-value";
import { sanitiseText } from "../../../lib/shared/sanitise-text";

const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

describe("foreign values in texts", () => {
  for (const [given, shown] of [
    ["plain", "plain"],
    ["Grüße, 世界 😀", "Grüße, 世界 😀"],
    ["a\r\nb\tc", "a\\r\\nb\\tc"],
    ["\u001b[31m\u0000\u007f\u0085", "\\u001b[31m\\u0000\\u007f\\u0085"],
    ["\u2028\u2029\u202e\u2066\u200f", "\\u2028\\u2029\\u202e\\u2066\\u200f"],
    ["\ud800a\udc00", "\\ud800a\\udc00"],
    ["C:\\new", "C:\\new"],
  ] as const) {
    it(`shows ${JSON.stringify(given)} as ${shown}`, () => {
      assert.equal(sanitiseText(given), shown);
    });
  }

  it("become one line of limited length, and stay the same the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 0, max: 30 }), (text, longest) => {
        const shown = sanitiseText(text, longest);
        assert.doesNotMatch(shown, UNSEEN);
        assert.ok(shown.length <= longest + 1);
        assert.equal(sanitiseText(shown), shown);
      }),
    );
  });

  it("are quoted by type without calling a method", () => {
    const fail = (): never => assert.fail("was called");
    for (const [value, quoted] of [
      ["a'\n", "'a'\\n'"],
      ["x".repeat(41), `'${"x".repeat(40)}…'`],
      [1.5, "1.5"],
      [true, "true"],
      [null, "null"],
      [undefined, "of type undefined"],
      [[1], "a list"],
      [{ toString: fail, toJSON: fail }, "of type object"],
      [1n, "of type bigint"],
      [Symbol("s"), "of type symbol"],
      [() => 1, "of type function"],
    ] as const) {
      assert.equal(quoteValue(value), quoted);
    }
  });

  it("stay on one line in errors", () => {
    const error = new FieldError("FIELD_INVALID", "a\nb", "is \u001b[2J wrong");
    assert.deepEqual([error.message, error.field], ["a\\nb is \\u001b[2J wrong", "a\\nb"]);
    assert.equal(new SetupError("BAD_SETTING", `${"x".repeat(1_000_000)}`).message.length, 4_001);
  });
});
