import assert from "node:assert/strict";
import fc from "fast-check";
import { maskNumber } from "../../../../lib/shared/recipients/mask-number";

describe("maskNumber", () => {
  const rows: readonly (readonly [given: unknown, shown: string])[] = [
    ["41791234567", "+4179…567"],
    ["+41791234567", "+4179…567"],
    ["0041 79 123 45 67", "+4179…567"],
    ["(079) 123-45.67", "0791…567"],
    ["012", "0…"],
    ["12345", "+1…5"],
    ["123456789", "+123…89"],
    ["1", "+…"],
    ["CH.4711abc", "CH4…bc"],
    ["", ""],
    [null, ""],
    [41791234567, ""],
    ["Dear Ms Miller, your code is 4711", "…"],
    ['{"code":4711}', "…"],
    ["4".repeat(5000), "…"],
  ];
  it("shows the beginning and the end of a number, and nothing of any other text", () => {
    for (const [given, shown] of rows) assert.equal(maskNumber(given), shown);
  });

  it("hides at least three digits of every number, and shows at most seven", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{4,14}$/), (number) => {
        const [first = "", last = ""] = maskNumber(number).slice(1).split("…");
        assert.ok(number.startsWith(first) && number.endsWith(last));
        assert.ok(first.length <= 4 && last.length <= 3);
        assert.ok(number.length - first.length - last.length >= 3);
      }),
    );
  });
});
