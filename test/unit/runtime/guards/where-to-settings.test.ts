import assert from "node:assert/strict";
import { openGuards } from "../../../../lib/runtime/guards/open-guards";
import { readWhereToSettings, type WhereToConfig } from "../../../../lib/runtime/guards/where-to-settings";
import { ACCOUNT_DEFAULTS } from "../../../../lib/shared/fields/account-defaults";
import { SetupError } from "../../../../lib/shared/messaging-error";

describe("where an account sends to", () => {
  const { allowedCountries, mobileOnly, noPremiumNumbers } = ACCOUNT_DEFAULTS;

  it("is every number for an account that was saved before there was the choice", async () => {
    assert.equal(readWhereToSettings({}), null);
    assert.equal(await openGuards({}), null);
  });

  it("is all countries, mobile numbers for SMS, and no premium numbers for a new one", async () => {
    const config = { allowedCountries, mobileOnly, noPremiumNumbers };
    const expected = { countries: null, mobileOnly: true, noPremiumNumbers: true };
    assert.deepEqual(readWhereToSettings(config), expected);
    assert.notEqual(await openGuards(config), null);
  });

  const rows: readonly (readonly [WhereToConfig, object | null])[] = [
    [{ allowedCountries: "all" }, null],
    [{ allowedCountries: " ALL " }, null],
    [{ allowedCountries: "all", mobileOnly: false, noPremiumNumbers: false }, null],
    [{ allowedCountries: "de, AT;ch CH" }, { countries: new Set(["DE", "AT", "CH"]), mobileOnly: false }],
    [{ noPremiumNumbers: true }, { countries: null, mobileOnly: false, noPremiumNumbers: true }],
    [{ mobileOnly: true }, { countries: null, mobileOnly: true }],
  ];
  for (const [config, expected] of rows) {
    it(`is read from ${JSON.stringify(config)}`, () => {
      const complete = expected === null ? null : { noPremiumNumbers: false, ...expected };
      assert.deepEqual(readWhereToSettings(config), complete);
    });
  }

  for (const [allowed, code] of [
    ["", "BAD_SETTING"],
    [" , ", "BAD_SETTING"],
    ["UK", "BAD_SETTING"],
    ["DE, Germany", "BAD_SETTING"],
    ["all, DE", "BAD_SETTING"],
    ["${GONE_COUNTRIES}", "UNRESOLVED_VARIABLE"],
  ] as const) {
    it(`is refused as '${allowed}', so that a list that cannot be read allows nothing`, async () => {
      const isFault = (error: unknown): boolean => error instanceof SetupError && error.code === code;
      await assert.rejects(openGuards({ allowedCountries: allowed }), isFault);
    });
  }
});
