import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { WhereToGuard } from "../../../../lib/runtime/guards/where-to-guard";
import type { WhereToSettings } from "../../../../lib/runtime/guards/where-to-settings";
import { setLanguage } from "../../../../lib/texts/say";

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
    return [MOBILE, FIXED_OR_MOBILE, UNKNOWN, FIXED, TOLL_FREE, VOIP, PREMIUM, SHARED_COST].map((number) => {
      const reason = guard.reasonOf(number, message);
      assert.equal(guard.passes(number, message), reason === null);
      return reason;
    });
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
  for (const [what, settings, message, expected] of rows) {
    it(`holds back ${what}`, () => assert.deepEqual(reasons(settings, message), expected));
  }

  it("lets numbers of the simulator pass with every list of countries, while it is the service", () => {
    const countries = new Set(["CH"]);
    const reason = (simulated: boolean, number: string) =>
      new WhereToGuard({ ...ANY, mobileOnly: true, countries, simulated }).reasonOf(number, SMS);
    assert.deepEqual([reason(true, "999004031"), reason(false, "999004031")], [null, "country"]);
    assert.equal(reason(true, "8821234567890"), "country");
  });

  describe("divides a list", () => {
    afterEach(() => setLanguage(() => "en-US"));
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

    it("at once where it is short, and gives the list itself where nothing is held back", () => {
      const list = [MOBILE, UNKNOWN];
      const checked = guard.check(list, SMS);
      assert.ok(!(checked instanceof Promise));
      assert.equal(checked.allowed, list);
      assert.deepEqual(checked.held, []);
    });

    it("names the first five, masked, with countries or types, and the setting", async () => {
      const texts = async (): Promise<string[]> => {
        const list = ["15555550123", ...Array(6).fill("447400123456"), FIXED, PREMIUM];
        return (await guard.check(list, SMS)).held.map(({ verdict }) => verdict.statusMessage);
      };
      const [country, premium, fixed] = await texts();
      assert.match(
        country ?? "",
        /\(Not in “Allowed countries”: \+1555…123: country unknown; \+4474…456: United Kingdom; (?:\+4474…456: United Kingdom; ){2}\+4474…456: United Kingdom; and 2 more\)$/,
      );
      assert.match(premium ?? "", /\(“No premium and shared-cost numbers” is on: \+4990…567: premium\)$/);
      assert.match(fixed ?? "", /\(“Mobile numbers only” is on: \+4930…456: fixed line\)$/);
      setLanguage(() => "de");
      const german = await texts();
      assert.match(
        german[0] ?? "",
        /„Erlaubte Länder“: .*Land unbekannt; .*Vereinigtes Königreich; und 2 weitere\)$/,
      );
      assert.match(german[2] ?? "", /„Nur Mobilnummern“ ist eingeschaltet: \+4930…456: Festnetz\)$/);
    });

    it("with the labels of the dialog in each language", async () => {
      for (const language of ["en-US", "de"] as const) {
        setLanguage(() => language);
        const file = join(__dirname, `../../../../nodes/config/locales/${language}/messaging-account.json`);
        const { field } = JSON.parse(readFileSync(file, "utf8"))["messaging-account"];
        const { held } = await guard.check([VOIP, PREMIUM, FIXED], SMS);
        const labels = [field.allowedCountries, field.noPremiumNumbers, field.mobileOnly];
        for (const [at, label] of labels.entries()) {
          assert.match(held[at]?.verdict.statusMessage ?? "", new RegExp(`[“„]${label}[”“]`), language);
        }
      }
    });

    it("of 1,000,000 numbers without keeping the event loop", async () => {
      const list = Array.from({ length: 1_000_000 }, (_none, at) =>
        at % 100 === 0 ? `4930${1_000_000 + at}` : `49151${10_000_000 + at}`,
      );
      let turns = 0;
      let running = true;
      const count = (): void => {
        turns++;
        if (running) {
          setImmediate(count);
        }
      };
      setImmediate(count);
      const checking = guard.check(list, SMS);
      assert.ok(checking instanceof Promise);
      const { allowed, held } = await checking;
      running = false;
      assert.deepEqual([allowed.length, held.length, held[0]?.recipients.length], [990_000, 1, 10_000]);
      assert.ok(turns > 20, `${turns} turns`);
    });
  });
});
