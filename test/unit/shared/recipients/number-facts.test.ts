import assert from "node:assert/strict";
import { canBeOf, numberFacts } from "../../../../lib/shared/recipients/number-facts";

describe("country and type of a number", () => {
  const rows: readonly (readonly [digits: string, country: string | null, type: string | null])[] = [
    // +1
    ["12015550123", "US", "FIXED_LINE_OR_MOBILE"],
    ["18002345678", "US", "TOLL_FREE"],
    ["15555550123", null, null],
    // +7
    ["77012345678", "KZ", "MOBILE"],
    // +44
    ["447781123456", "GG", "MOBILE"],
    ["447012345678", "GB", "PERSONAL_NUMBER"],
    ["445612345678", "GB", "VOIP"],
    ["447700900123", null, null],
    // A code of one country is that country's, whatever follows.
    ["4915112345678", "DE", "MOBILE"],
    ["49111", "DE", null],
    // Codes of no country, and no codes.
    ["80012345678", null, "TOLL_FREE"],
    ["99912345678", null, null],
  ];
  for (const [digits, country, type] of rows) {
    it(`+${digits}: ${country ?? "unknown country"}, ${type ?? "unknown type"}`, () => {
      assert.deepEqual(numberFacts(digits), { country, type });
    });
  }
});

describe("whether a number can be of a country", () => {
  const rows: readonly (readonly [digits: string, countries: string, can: boolean])[] = [
    ["12015550123", "US", true],
    ["12015550123", "CA", false],
    ["79161234567", "KZ", false],
    ["79161234567", "RU", true],
    ["447781123456", "GB", false],
    ["447781123456", "GG", true],
    // Countries that share their mobile numbers.
    ["590690001234", "GP", true],
    // Countries that cannot be told.
    ["15555550123", "US,CA", false],
    ["99912345678", "US,DE", false],
    ["4915112345678", "AT,CH", false],
    ["49111", "DE", true],
  ];
  for (const [digits, countries, can] of rows) {
    it(`+${digits} ${can ? "can" : "cannot"} be of ${countries}`, () => {
      assert.equal(canBeOf(digits, new Set(countries.split(","))), can);
    });
  }
});
