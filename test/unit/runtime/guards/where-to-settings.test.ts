import assert from "node:assert/strict";
import { openGuard } from "../../../../lib/runtime/guards/open-protection";
import { readWhereToSettings, type WhereToConfig } from "../../../../lib/runtime/guards/where-to-settings";
import { accountConfig } from "../../../support/account-config";

describe("where an account sends to", () => {
  it("is all countries, mobile numbers for SMS, and no premium numbers for a new one", async () => {
    const expected = { countries: null, mobileOnly: true, noPremiumNumbers: true, simulated: false };
    assert.deepEqual(readWhereToSettings(accountConfig({ service: "service" })), expected);
    assert.notEqual(openGuard(accountConfig()), null);
  });

  const rows: readonly (readonly [Partial<WhereToConfig>, object | null])[] = [
    [{ allowedCountries: " ALL " }, {}],
    [{ allowedCountries: "all", mobileOnly: false, noPremiumNumbers: false }, null],
    [{ allowedCountries: "de, AT;ch CH" }, { countries: new Set(["DE", "AT", "CH"]) }],
    [{ mobileOnly: false }, { mobileOnly: false }],
    [{ noPremiumNumbers: false, service: "simulator" }, { noPremiumNumbers: false }],
    [
      { noPremiumNumbers: false, service: "service" },
      { noPremiumNumbers: false, simulated: false },
    ],
  ];
  it("reads countries, and drops a check only where it is switched off", () => {
    for (const [config, expected] of rows) {
      const initial = { countries: null, mobileOnly: true, noPremiumNumbers: true, simulated: true };
      const complete = expected === null ? null : { ...initial, ...expected };
      assert.deepEqual(readWhereToSettings(accountConfig(config)), complete);
    }
  });

  it("refuses a list of countries that cannot be read, so that it allows nothing", async () => {
    for (const [allowed, code] of [
      ["", "BAD_SETTING"],
      [" , ", "BAD_SETTING"],
      ["UK", "BAD_SETTING"],
      ["DE, Germany", "BAD_SETTING"],
      ["all, DE", "BAD_SETTING"],
      ["${GONE_COUNTRIES}", "UNRESOLVED_VARIABLE"],
    ] as const) {
      assert.throws(() => openGuard(accountConfig({ allowedCountries: allowed })), { code });
    }
  });
});
