import assert from "node:assert/strict";
import { maskRecipients } from "../../../../lib/editor/fields/describe-source";

describe("typed recipients in the name of a node", () => {
  for (const [value, shown] of [
    ["+41 79 123 45 67", "+4179…567"],
    ["+41791234567, +41791234568; 0041791234569", "+4179…567 (+2)"],
    [" ", ""],
    [undefined, ""],
  ] as const) {
    it(`are ${JSON.stringify(shown)} for ${JSON.stringify(value)}`, () => {
      assert.equal(maskRecipients(value), shown);
    });
  }
});
