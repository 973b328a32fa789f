import assert from "node:assert/strict";
import { findFaultyRecipient } from "../../../../lib/editor/recipients/recipients-fault";
import { recipientEntries } from "../../../../lib/shared/recipients/entry-reader";
import { parseRecipients } from "../../../../lib/shared/recipients/recipients";

/** What may stand between two numbers for the parser, and some characters that may not. */
const BETWEEN = [
  ...[",", ";", "\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029", ", "],
  ...["|", "\t", "\v", "\f", "&", " "],
];

describe("the dialog's check of a list of recipients", () => {
  for (const between of BETWEEN) {
    it(`agrees with the parser about ${JSON.stringify(between)} between two numbers`, () => {
      for (const numbers of [
        ["+41791234567", "+41791234568"],
        ["41791234567", "0041791234568", "+41 79 123 45 69"],
        ["+41791234567", "hello"],
        ["+4", "+41791234567"],
      ]) {
        const text = numbers.join(between);
        const { rejected } = parseRecipients(text);
        assert.equal(findFaultyRecipient(text) === null, rejected.length === 0, JSON.stringify(text));
      }
    });
  }

  it("finds the same entries in a text as the parser", () => {
    for (const between of BETWEEN) {
      const text = ["+41791234567", "", " ", "+41791234568"].join(between);
      const { accepted, rejected } = parseRecipients(text);
      assert.equal(recipientEntries(text).length, accepted.length + rejected.length, JSON.stringify(between));
    }
  });
});
