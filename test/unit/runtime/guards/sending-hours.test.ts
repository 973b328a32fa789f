import assert from "node:assert/strict";
import { openSendingHours } from "../../../../lib/runtime/guards/open-protection";
import type { SendingHours } from "../../../../lib/runtime/guards/sending-hours";
import {
  readSendingHours,
  type SendingHoursConfig,
} from "../../../../lib/runtime/guards/sending-hours-settings";
import { numberFacts } from "../../../../lib/shared/recipients/number-facts";
import { systemZone } from "../../../../lib/shared/schedule/zoned-time";
import { accountConfig } from "../../../support/account-config";

const SWISS = "41791234567";
const countryOf = (recipient: string): string | null => numberFacts(recipient).country;
const iso = (at: number): string => new Date(at).toISOString();

const on = (given: Partial<SendingHoursConfig> = {}): SendingHours =>
  readSendingHours(accountConfig({ timeZone: "America/New_York", ...given }), countryOf);

describe("sending hours of an account", () => {
  it("are weekdays from 8 to 20 in the recipient's time zone once they are switched on", async () => {
    const hours = openSendingHours(accountConfig({ sendingHours: true }));
    assert.ok(hours !== null);
    assert.equal(hours.refuses, false);
    assert.equal(hours.zoneOf(SWISS), "Europe/Zurich");
    const friday = Date.parse("2026-11-27T19:00:00Z");
    assert.equal(hours.opensAt("Europe/Zurich", friday - 1), friday - 1);
    assert.equal(iso(hours.opensAt("Europe/Zurich", friday)), "2026-11-30T07:00:00.000Z");
    assert.deepEqual([hours.isExempt(""), hours.isExempt("informational")], [false, false]);
  });

  it("lets categories pass that are exempt, and refuses where that is chosen", () => {
    const hours = on({ sendingExempt: "informational", sendingAction: "refuse" });
    assert.deepEqual(
      ["informational", "advertisement", ""].map((category) => hours.isExempt(category)),
      [true, false, false],
    );
    assert.equal(hours.refuses, true);
    assert.equal(on({ sendingExempt: "informational, advertisement" }).isExempt("advertisement"), true);
  });

  it("are in the zone of the number's country, and in the account's where that has several", () => {
    for (const [recipient, zone] of [
      [SWISS, "Europe/Zurich"],
      ["8613812345678", "Asia/Shanghai"],
      ["77012345678", "Asia/Almaty"],
      ["262639012345", "Indian/Mayotte"],
      // Several zones.
      ["79161234567", "America/New_York"],
      ["12015550123", "America/New_York"],
      // No country.
      ["80012345678", "America/New_York"],
      ["0", "America/New_York"],
    ] as const) {
      assert.equal(on().zoneOf(recipient), zone);
      assert.equal(on({ sendingBy: "account" }).zoneOf(recipient), "America/New_York");
    }
  });

  it("are in Node-RED's time zone where the account has none", () => {
    for (const timeZone of ["", " "]) {
      assert.equal(on({ timeZone, sendingBy: "account" }).zoneOf(SWISS), systemZone());
    }
  });

  it("stop the account where they cannot be read, with what to do", async () => {
    for (const [config, code, text] of [
      [{ sendingDays: "" }, "BAD_SETTING", /no day/],
      [{ sendingDays: "mon,someday" }, "BAD_SETTING", /someday/],
      [{ sendingFrom: "" }, "BAD_SETTING", /begin at/],
      [{ sendingTo: "25:00" }, "BAD_SETTING", /25:00/],
      [{ sendingFrom: "8:00", sendingTo: "08:00" }, "BAD_SETTING", /end when they begin/],
      [{ sendingBy: "moon" }, "BAD_SETTING", /moon/],
      [{ sendingAction: "drop" }, "BAD_SETTING", /drop/],
      [{ sendingExempt: "urgent" }, "BAD_SETTING", /urgent/],
      [{ timeZone: "Mars/Olympus" }, "BAD_SETTING", /Mars\/Olympus/],
      [{ sendingFrom: "${GONE}" }, "UNRESOLVED_VARIABLE", /GONE/],
    ] as const) {
      const fault = { name: "SetupError", code, message: text };
      assert.throws(() => openSendingHours(accountConfig({ sendingHours: true, ...config })), fault);
    }
  });
});
