import assert from "node:assert/strict";
import { toColumn, toLine } from "../../../../lib/editor/recipients/recipient-column";
import { parseRecipients } from "../../../../lib/shared/recipients/recipients";
import { uniqueRecipients } from "../../../../lib/editor/recipients/unique-recipients";

const PASTED = "+41 79 123 45 67\r\n+41791234568\t+41791234569\n\n ; +41791234570,, \u2028";
const NUMBERS = ["+41 79 123 45 67", "+41791234568", "+41791234569", "+41791234570"];

describe("a column of recipients", () => {
  it("splits at line breaks, tabs, commas and semicolons", () => {
    assert.equal(toColumn(PASTED), NUMBERS.join("\n"));
    assert.equal(toLine(PASTED), NUMBERS.join(", "));
    assert.equal(toLine(toColumn(PASTED)), toLine(PASTED));
    assert.equal(toColumn(""), "");
    assert.equal(toLine(" \n\t"), "");
  });

  it("becomes a line in which the parser finds the same numbers", () => {
    const digits = NUMBERS.map((number) => number.replace(/\D/g, ""));
    assert.deepEqual(parseRecipients(toLine(PASTED)).accepted, digits);
    assert.deepEqual(parseRecipients(toColumn(PASTED)).accepted, digits);
  });
});

describe("uniqueRecipients", () => {
  const never = (): Promise<void> => Promise.reject(new Error("yielded"));

  it("keeps the first spelling of each number, and entries that are no numbers", async () => {
    const entries = ["+41 79 123 45 67", "name", "0041791234567", "41791234567", "name", "+41791234568"];
    const kept = ["+41 79 123 45 67", "name", "name", "+41791234568"];
    assert.deepEqual(await uniqueRecipients(entries, {}, never), kept);
  });

  it("reads national numbers of the default country", async () => {
    const entries = ["079 123 45 67", "+41791234567"];
    assert.deepEqual(await uniqueRecipients(entries, { defaultCountry: "CH" }, never), ["079 123 45 67"]);
    assert.deepEqual(await uniqueRecipients(entries, {}, never), entries);
  });
});
