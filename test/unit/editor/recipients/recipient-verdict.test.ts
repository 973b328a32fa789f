import assert from "node:assert/strict";
import { sumUp } from "../../../../lib/editor/recipients/recipient-verdict";
import { parseRecipients } from "../../../../lib/shared/recipients/recipients";

describe("sumUp", () => {
  it("counts, and names the first invalid ones in order", () => {
    const parsed = parseRecipients("+41791234567, a, 0041791234567, +4, b", { defaultCountry: "CH" });
    const examples = [
      { value: "a", reason: "not-a-number" },
      { value: "+4", reason: "too-short" },
    ];
    assert.deepEqual(sumUp(parsed, true, 2), {
      valid: 1,
      invalid: 3,
      duplicates: 1,
      open: 0,
      personal: 0,
      national: null,
      wrong: 3,
      examples,
    });
  });

  it("does not count a number as invalid that depends on the account", () => {
    const parsed = parseRecipients("079 123 45 67, +41791234567, a", { defaultCountry: "?" });
    const examples = [{ value: "a", reason: "not-a-number" }];
    assert.deepEqual(sumUp(parsed, false, 5), {
      valid: 1,
      invalid: 1,
      duplicates: 0,
      open: 1,
      personal: 0,
      national: null,
      wrong: 1,
      examples,
    });
    assert.equal(sumUp(parsed, true, 5).invalid, 2);
  });
});

describe("sumUp, without a default country,", () => {
  it("separates national numbers from invalid ones", () => {
    const parsed = parseRecipients("079 100 00 01, a, 0761000002", {});
    const examples = [{ value: "a", reason: "not-a-number" }];
    const { invalid, national, wrong, examples: shown } = sumUp(parsed, true, 5);
    assert.deepEqual([invalid, national, wrong, shown], [3, "079 100 00 01", 1, examples]);
  });
});
