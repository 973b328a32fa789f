import assert from "node:assert/strict";
import examples from "libphonenumber-js/examples.mobile.json";
import { Metadata } from "libphonenumber-js/core";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import metadata from "libphonenumber-js/metadata.max.json";
import { NumberingPlan, type PlanSource } from "../../../../lib/shared/recipients/numbering-plan";
import { trunkZeroAfter } from "../../../../lib/shared/recipients/trunk-zero";

const source = new Metadata(metadata as never) as unknown as {
  selectNumberingPlan(country: string): { readonly numberingPlan: PlanSource };
};
const PERSONAL: ReadonlySet<string | null> = new Set(["FIXED_LINE", "MOBILE", "FIXED_LINE_OR_MOBILE"]);
const DIGITS = "72941836507294183650";

/** Numbers of a plan that begin with 0: with each group of digits behind it, of each length, with different ends. */
function hasZeros(plan: NumberingPlan): boolean {
  for (let group = 0; group < 1000; group++) {
    for (let length = 5; length <= 12; length++) {
      for (let from = 0; from < 10; from++) {
        const number = `0${String(group).padStart(3, "0")}${DIGITS.slice(from)}`.slice(0, length);
        if (PERSONAL.has(plan.typeOf(number))) {
          return true;
        }
      }
    }
  }
  return false;
}

/** Whether the plan has a zero that is dialled within the country only. */
function dropsZero(code: string, country: string): boolean {
  const example = (examples as Record<string, string>)[country] ?? "";
  const read = parsePhoneNumberFromString(`+${code}0${example}`, { extract: false });
  return read?.number === `+${code}${example}`;
}

describe("a zero behind a country code", () => {
  const codes = Object.entries(metadata.country_calling_codes as Record<string, readonly string[]>);

  it("is looked for behind the calling codes of all countries, but not where numbers of people begin with it", () => {
    for (const [code, countries] of codes) {
      const plans = countries.map(
        (country) => new NumberingPlan(country, source.selectNumberingPlan(country).numberingPlan),
      );
      const kept = plans.some(hasZeros) && !dropsZero(code, countries[0] as string);
      assert.equal(trunkZeroAfter(`${code}0123456`), kept ? 0 : code.length, code);
    }
  });

  it("is one behind the code alone", () => {
    for (const [code] of codes) {
      const others = `${code}1000000000`;
      assert.equal(trunkZeroAfter(others), 0, others);
    }
    assert.equal(trunkZeroAfter("+4107", 1), 2);
    assert.equal(trunkZeroAfter("41"), 0);
  });
});
