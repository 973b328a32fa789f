import assert from "node:assert/strict";
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { canBeOf, numberFacts } from "../../../../lib/shared/recipients/number-facts";

/** Calling codes of no country. */
const NOBODYS = ["800", "808", "870", "878", "881", "882", "883", "888", "979"];

describe("country and type of a number", () => {
  const rows: readonly (readonly [digits: string, country: string | null, type: string | null])[] = [
    // +1
    ["12015550123", "US", "FIXED_LINE_OR_MOBILE"],
    ["14165550123", "CA", "FIXED_LINE_OR_MOBILE"],
    ["12423570000", "BS", "MOBILE"],
    ["18763230000", "JM", "MOBILE"],
    ["17872340123", "PR", "FIXED_LINE_OR_MOBILE"],
    ["18002345678", "US", "TOLL_FREE"],
    ["19002345678", "US", "PREMIUM_RATE"],
    ["15555550123", null, null],
    // +7
    ["79161234567", "RU", "MOBILE"],
    ["77012345678", "KZ", "MOBILE"],
    ["77172123456", "KZ", "FIXED_LINE"],
    // +44
    ["447400123456", "GB", "MOBILE"],
    ["447781123456", "GG", "MOBILE"],
    ["447911123456", "GG", "MOBILE"],
    ["441481256789", "GG", "FIXED_LINE"],
    ["447797712345", "JE", "MOBILE"],
    ["447624123456", "IM", "MOBILE"],
    ["447012345678", "GB", "PERSONAL_NUMBER"],
    ["449012345678", "GB", "PREMIUM_RATE"],
    ["448431234567", "GB", "PREMIUM_RATE"],
    ["445612345678", "GB", "VOIP"],
    ["447700900123", null, null],
    // +262
    ["262692123456", "RE", "MOBILE"],
    ["262639012345", "YT", "MOBILE"],
    // A code of one country is that country's, whatever follows.
    ["4915112345678", "DE", "MOBILE"],
    ["4930123456", "DE", "FIXED_LINE"],
    ["499001234567", "DE", "PREMIUM_RATE"],
    ["491801234567", "DE", "SHARED_COST"],
    ["498001234567", "DE", "TOLL_FREE"],
    ["49111", "DE", null],
    // The zero of national calls is left in.
    ["49015112345678", "DE", "MOBILE"],
    ["4909001234567", "DE", "PREMIUM_RATE"],
    ["4409012345678", "GB", "PREMIUM_RATE"],
    // Codes of no country, and no codes.
    ["80012345678", null, "TOLL_FREE"],
    ["97912345678", null, null],
    ["979123456789", null, "PREMIUM_RATE"],
    ["99912345678", null, null],
  ];
  for (const [digits, country, type] of rows) {
    it(`+${digits}: ${country ?? "unknown country"}, ${type ?? "unknown type"}`, () => {
      assert.deepEqual(numberFacts(digits), { country, type });
    });
  }

  it("is what the library says, for numbers of each calling code", () => {
    let seed = 1;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const told = new Set<string | null>();
    const codes = new Set([...getCountries().map((each) => getCountryCallingCode(each)), ...NOBODYS]);
    for (const code of codes) {
      for (let count = 0; count < 100; count++) {
        const national = Array.from({ length: 5 + random(7) }, () => random(10)).join("");
        const digits = `${code}${national}`.slice(0, 15);
        const read = parsePhoneNumberFromString(`+${digits}`, { extract: false });
        // Of others the library has read another number.
        if (read?.number === `+${digits}`) {
          const expected = { country: read.country ?? null, type: read.getType() ?? null };
          assert.deepEqual(numberFacts(digits), expected, digits);
          told.add(expected.type);
        }
      }
    }
    assert.ok(told.size >= 10, [...told].join());
  });
});

describe("whether a number can be of a country", () => {
  const rows: readonly (readonly [digits: string, countries: string, can: boolean])[] = [
    ["12015550123", "US", true],
    ["12015550123", "CA", false],
    ["12015550123", "CA,BS,JM", false],
    ["14165550123", "US", false],
    ["14165550123", "CA", true],
    ["79161234567", "KZ", false],
    ["79161234567", "RU", true],
    ["77012345678", "RU", false],
    ["77012345678", "KZ", true],
    ["447781123456", "GB", false],
    ["447781123456", "GG", true],
    ["447400123456", "GB", true],
    ["447400123456", "GG", false],
    ["262692123456", "RE", true],
    ["262692123456", "YT", false],
    ["262639012345", "RE", false],
    ["262639012345", "YT", true],
    // Countries that share their mobile numbers.
    ["590690001234", "GP", true],
    ["590690001234", "MF", true],
    ["61412345678", "CX", true],
    ["447924123456", "GB", true],
    ["447924123456", "IM", true],
    // Countries that cannot be told.
    ["15555550123", "US,CA", false],
    ["80012345678", "US,DE", false],
    ["99912345678", "US,DE", false],
    ["4915112345678", "AT,CH", false],
    ["4915112345678", "AT,DE", true],
    ["49111", "DE", true],
    ["4409012345678", "GB", true],
  ];
  for (const [digits, countries, can] of rows) {
    it(`+${digits} ${can ? "can" : "cannot"} be of ${countries}`, () => {
      assert.equal(canBeOf(digits, new Set(countries.split(","))), can);
    });
  }
});
