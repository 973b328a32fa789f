import assert from "node:assert/strict";
import { openGuard } from "../../../../lib/runtime/guards/open-protection";
import { readWhereToSettings, type WhereToConfig } from "../../../../lib/runtime/guards/where-to-settings";
import { ACCOUNT_DEFAULTS } from "../../../../lib/shared/fields/account-defaults";
import { SetupError } from "../../../../lib/shared/messaging-error";

describe("where an account sends to", () => {
  const { allowedCountries, mobileOnly, noPremiumNumbers } = ACCOUNT_DEFAULTS;

  it("is all countries, mobile numbers for SMS, and no premium numbers for a new one and for one that lacks the settings", async () => {
    const expected = { countries: null, mobileOnly: true, noPremiumNumbers: true, simulated: false };
    for (const config of [
      { allowedCountries, mobileOnly, noPremiumNumbers },
      {},
      { allowedCountries: null, mobileOnly: null, noPremiumNumbers: null } as unknown as WhereToConfig,
    ]) {
      assert.deepEqual(readWhereToSettings({ service: "service", ...config }), expected);
      assert.notEqual(await openGuard(config), null);
    }
  });

  it("is every number only where each check is switched off", async () => {
    const off = { mobileOnly: false, noPremiumNumbers: false };
    assert.equal(await openGuard(off), null);
    const words = { mobileOnly: "false", noPremiumNumbers: 0 } as unknown as WhereToConfig;
    assert.notEqual(await openGuard(words), null);
  });

  const rows: readonly (readonly [WhereToConfig, object | null])[] = [
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
      await assert.rejects(openGuard({ allowedCountries: allowed }), isFault);
    });
  }
});
