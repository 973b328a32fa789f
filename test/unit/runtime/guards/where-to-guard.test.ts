import assert from "node:assert/strict";
import { WhereToGuard } from "../../../../lib/runtime/guards/where-to-guard";
import type { WhereToSettings } from "../../../../lib/runtime/guards/where-to-settings";

const ANY: WhereToSettings = {
  countries: null,
  mobileOnly: false,
  noPremiumNumbers: false,
  simulated: false,
};
const SMS = { sms: true };
const OTHER = { sms: false };

const MOBILE = "4915112345678";
const FIXED = "4930123456";
const FIXED_OR_MOBILE = "12015550123";
const PREMIUM = "499001234567";
const SHARED_COST = "491801234567";
const TOLL_FREE = "498001234567";
const VOIP = "445612345678";
const UNKNOWN = "49111";

describe("the guard of countries and types", () => {
  const reasons = (settings: Partial<WhereToSettings>, message = SMS): (string | null)[] => {
    const guard = new WhereToGuard({ ...ANY, ...settings });
    return [MOBILE, FIXED_OR_MOBILE, UNKNOWN, FIXED, TOLL_FREE, VOIP, PREMIUM, SHARED_COST].map((number) =>
      guard.reasonOf(number, message),
    );
  };
  const none = Array(8).fill(null);
  const notMobile = "not-mobile";

  const rows: readonly (readonly [what: string, Partial<WhereToSettings>, typeof SMS, (string | null)[]])[] =
    [
      ["nothing without settings", {}, SMS, none],
      [
        "all that is surely not mobile from SMS",
        { mobileOnly: true },
        SMS,
        [null, null, null, notMobile, notMobile, notMobile, notMobile, notMobile],
      ],
      ["nothing that is not mobile from other messages", { mobileOnly: true }, OTHER, none],
      [
        "premium and shared cost from every message",
        { noPremiumNumbers: true },
        OTHER,
        [...Array(6).fill(null), "premium", "premium"],
      ],
      [
        "premium numbers as such where both apply",
        { noPremiumNumbers: true, mobileOnly: true },
        SMS,
        [null, null, null, notMobile, notMobile, notMobile, "premium", "premium"],
      ],
      [
        "other countries before all else",
        { countries: new Set(["US", "GB"]), noPremiumNumbers: true, mobileOnly: true },
        SMS,
        ["country", null, "country", "country", "country", notMobile, "country", "country"],
      ],
    ];
  it("blocks other countries, premium numbers, and for SMS numbers that are surely not mobile", () => {
    for (const [what, settings, message, expected] of rows) {
      assert.deepEqual(reasons(settings, message), expected, what);
    }
  });

  it("lets numbers of the simulator pass with every list of countries, while it is the service", () => {
    const countries = new Set(["CH"]);
    const reason = (simulated: boolean, number: string) =>
      new WhereToGuard({ ...ANY, mobileOnly: true, countries, simulated }).reasonOf(number, SMS);
    assert.deepEqual([reason(true, "999004031"), reason(false, "999004031")], [null, "country"]);
    assert.equal(reason(true, "8821234567890"), "country");
  });

  describe("divides a list", () => {
    const guard = new WhereToGuard({
      ...ANY,
      countries: new Set(["DE"]),
      mobileOnly: true,
      noPremiumNumbers: true,
    });

    it("into those that are sent to and a group for each setting, in their order", async () => {
      const { allowed, held } = await guard.check([PREMIUM, MOBILE, FIXED, VOIP, UNKNOWN, SHARED_COST], SMS);
      assert.deepEqual(allowed, [MOBILE, UNKNOWN]);
      assert.deepEqual(
        held.map(({ recipients, verdict }) => [verdict.statusName, recipients]),
        [
          ["COUNTRY_NOT_ALLOWED", [VOIP]],
          ["NUMBER_TYPE_NOT_ALLOWED", [PREMIUM, SHARED_COST]],
          ["NUMBER_TYPE_NOT_ALLOWED", [FIXED]],
        ],
      );
      for (const { verdict } of held) {
        assert.deepEqual([verdict.outcome, verdict.retry, verdict.attempts], ["rejected", "never", 0]);
      }
    });
  });
});
