import assert from "node:assert/strict";
import { openGuard } from "../../../../lib/runtime/guards/open-protection";
import { readWhereToSettings, type WhereToConfig } from "../../../../lib/runtime/guards/where-to-settings";
import { SetupError } from "../../../../lib/shared/messaging-error";
import { accountConfig } from "../../../support/account-config";

describe("where an account sends to", () => {
  it("is all countries, mobile numbers for SMS, and no premium numbers for a new one", async () => {
    const expected = { countries: null, mobileOnly: true, noPremiumNumbers: true, simulated: false };
    assert.deepEqual(readWhereToSettings(accountConfig({ service: "service" })), expected);
    assert.notEqual(await openGuard(accountConfig()), null);
  });

  it("is every number only where each check is switched off", async () => {
    const off = { mobileOnly: false, noPremiumNumbers: false };
    assert.equal(await openGuard(accountConfig(off)), null);
    const words = { mobileOnly: "false", noPremiumNumbers: 0 } as unknown as WhereToConfig;
    assert.notEqual(await openGuard(accountConfig(words)), null);
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
  for (const [config, expected] of rows) {
    it(`is read from ${JSON.stringify(config)}`, () => {
      const initial = { countries: null, mobileOnly: true, noPremiumNumbers: true, simulated: true };
      const complete = expected === null ? null : { ...initial, ...expected };
      assert.deepEqual(readWhereToSettings(accountConfig(config)), complete);
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
      await assert.rejects(openGuard(accountConfig({ allowedCountries: allowed })), isFault);
    });
  }
});
