import assert from "node:assert/strict";
import { type LimitConfig, readLimitSettings } from "../../../../lib/runtime/guards/limit-settings";
import { accountConfig } from "../../../support/account-config";

const NONE = { hour: null, day: null, numberHour: null, numberDay: null };

describe("how many messages of an account leave", () => {
  const read = (given: Partial<LimitConfig>) => readLimitSettings(accountConfig(given));

  it("is any number for a new account, and for one with blank limits", () => {
    assert.equal(read({}), null);
    assert.equal(read({ limitHour: " ", limitAction: "refuse" }), null);
  });

  const zone = "Europe/Zurich";
  const rows: readonly (readonly [Partial<LimitConfig>, object])[] = [
    [{ limitHour: "1" }, { hour: 1 }],
    [
      { limitHour: "100", limitDay: 500 },
      { hour: 100, day: 500 },
    ],
    [
      { limitNumberHour: " 2 ", limitNumberDay: "3" },
      { numberHour: 2, numberDay: 3 },
    ],
    [
      { limitDay: "1000000000", limitAction: "refuse" },
      { day: 1_000_000_000, refuses: true },
    ],
    [{ limitDay: "5", limitAction: "hold" }, { day: 5 }],
    [{ limitDay: "5", limitAction: "other" }, { day: 5 }],
  ];
  it("reads each limit, and holds messages unless the account refuses", () => {
    for (const [config, expected] of rows) {
      const complete = { ...NONE, refuses: false, zone, ...expected };
      assert.deepEqual(read({ ...config, timeZone: zone }), complete, JSON.stringify(config));
    }
  });

  const wrong: readonly (readonly [Partial<LimitConfig>, string, RegExp])[] = [
    [{ limitHour: "0" }, "BAD_SETTING", /^The limit of messages an hour of the account must be a whole/],
    [{ limitDay: "-1" }, "BAD_SETTING", /^The limit of messages a day of the account must/],
    [{ limitDay: "1.5" }, "BAD_SETTING", /from 1 to 1000000000, but is '1\.5'/],
    [{ limitNumberHour: "many" }, "BAD_SETTING", /^The limit of messages to one number an hour/],
    [{ limitNumberDay: "1000000001" }, "BAD_SETTING", /^The limit of messages to one number a day/],
    [{ limitHour: "${GONE_LIMIT}" }, "UNRESOLVED_VARIABLE", /environment variable GONE_LIMIT/],
    [{ limitHour: "5", timeZone: "Europe/Zuerich" }, "BAD_SETTING", /time zone of the account is 'Europe/],
    [{ limitHour: "5", timeZone: "${GONE_ZONE}" }, "UNRESOLVED_VARIABLE", /environment variable GONE_ZONE/],
  ];
  it("refuses a limit or time zone that cannot be read", () => {
    for (const [config, code, message] of wrong) {
      assert.throws(() => read(config), { code, message });
    }
  });
});
