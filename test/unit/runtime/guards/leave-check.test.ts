import assert from "node:assert/strict";
import { type ClaimedFacts, LeaveCheck } from "../../../../lib/runtime/guards/leave-check";
import { readSendingHours } from "../../../../lib/runtime/guards/sending-hours-settings";
import { NO_RULES } from "../../../../lib/store/guards/request-rules";
import { numberFacts } from "../../../../lib/shared/recipients/number-facts";
import { accountConfig } from "../../../support/account-config";

const SWISS = "41791234567";
const JAPANESE = "819012345678";
/** A Thursday: 15:00 in Zurich, 23:00 in Tokyo. */
const NOW = Date.parse("2026-11-26T14:00:00Z");
const LIMITS = { hour: null, day: 9, numberHour: null, numberDay: 5, refuses: false, zone: "UTC" };

describe("LeaveCheck", () => {
  /** What a claimed request does not send now: the last digits of the numbers, and why or until when. */
  const check = (
    rules: Partial<ClaimedFacts["rules"]>,
    held: ClaimedFacts["held"] = [],
    sendingAction = "hold",
  ) => {
    const config = accountConfig({ sendingExempt: "informational", sendingAction });
    const hours = readSendingHours(config, (number) => numberFacts(number).country);
    const leave = new LeaveCheck({ hours, limits: LIMITS, zone: "UTC", onUsage: () => {} });
    const asked = { ...NO_RULES, zone: "", category: "", once: false, ...rules };
    return leave
      .hold({ recipients: [SWISS, JAPANESE], held, rules: asked }, NOW)
      .map(({ recipients, verdict, until, all }) => {
        const time = new Date(until).toISOString().slice(5, 16);
        const numbers = recipients.map((number) => number.slice(-1));
        return `${numbers} ${verdict?.fault ?? `until ${time}`}${all ? " for all" : ""}`;
      });
  };
  const byLimit = (number: string, single: boolean) =>
    ({ number, reason: "limit", limit: { period: "day", single, most: 5, never: false } }) as const;

  it("blocks recipients outside their hours until those begin", () => {
    assert.deepEqual(check({}), ["8 until 11-26T23:00"]);
    assert.deepEqual(check({}, [], "refuse"), ["8 OUTSIDE_HOURS"]);
    assert.deepEqual(check({ category: "informational" }), []);
    assert.deepEqual(check({ zone: null }), []);
  });

  it("refuses a request from the moment on in which it is useless", () => {
    assert.deepEqual(check({ zone: null, uselessAfter: NOW }), ["7,8 TOO_LATE"]);
    assert.deepEqual(check({ zone: null, uselessAfter: NOW + 1 }), []);
  });

  it("refuses a recipient who opted out before it asks for hours", () => {
    const held = [{ number: JAPANESE, reason: "opted-out" }] as const;
    assert.deepEqual(check({}, held), ["8 OPTED_OUT"]);
  });

  it("waits for the hours after a limit of one number, not after one of the account", () => {
    assert.deepEqual(check({ zone: "UTC" }, [byLimit(SWISS, true)]), ["7 until 11-27T08:00"]);
    assert.deepEqual(check({ zone: "UTC" }, [byLimit(SWISS, false)]), ["7 until 11-27T00:00 for all"]);
  });
});
