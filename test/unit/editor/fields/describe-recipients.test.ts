import assert from "node:assert/strict";
import { describeRecipients } from "../../../../lib/editor/fields/describe-recipients";

describe("recipients in the name of a node", () => {
  for (const [source, value, shown] of [
    ["str", "+41 79 123 45 67", "+4179…567"],
    ["str", "+41791234567, +41791234568; 0041791234569", "+4179…567 (+2)"],
    ["str", " ", ""],
    ["str", undefined, ""],
    ["msg", "payload.phone", "msg.payload.phone"],
    ["flow", "list", "flow.list"],
  ] as const) {
    it(`are ${JSON.stringify(shown)} for ${source} ${JSON.stringify(value)}`, () => {
      assert.equal(describeRecipients(source, value), shown);
    });
  }
});
