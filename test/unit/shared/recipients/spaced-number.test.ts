import assert from "node:assert/strict";
import { Metadata } from "libphonenumber-js/core";
import metadata from "libphonenumber-js/metadata.max.json";
import { oneNumber } from "../../../../lib/shared/recipients/one-number";
import { spacedNumber } from "../../../../lib/shared/recipients/spaced-number";

interface Plans {
  hasCallingCode(code: string): boolean;
}

describe("a number with a space behind its calling code", () => {
  it("has it behind the code of the numbering plan, for each code", () => {
    const plans = new Metadata(metadata as never) as unknown as Plans;
    const codes = Array.from({ length: 999 }, (_, at) => String(at + 1)).filter((code) =>
      plans.hasCallingCode(code),
    );
    assert.ok(codes.length > 200);
    for (const code of codes) {
      assert.equal(spacedNumber(`${code}555000111`), `+${code} 555000111`);
    }
  });

  it("is read as the same number by all fields", () => {
    assert.equal(oneNumber(spacedNumber("41790000001"), "CH"), "41790000001");
  });
});
