import assert from "node:assert/strict";
import { LeaveCheck } from "../../../../lib/runtime/guards/leave-check";
import { readSendingHours } from "../../../../lib/runtime/guards/sending-hours-settings";
import { NO_RULES } from "../../../../lib/store/guards/request-rules";
import { accountConfig } from "../../../support/account-config";

const NUMBER = "41791234567";
/** A Thursday. */
const NOW = Date.parse("2026-11-26T14:00:00Z");

describe("what waits for a limit outside of the sending hours", () => {
  const hours = readSendingHours(accountConfig({ timeZone: "UTC" }), () => "CH");
  const check = new LeaveCheck({
    hours,
    limits: { hour: null, day: 9, numberHour: null, numberDay: 5, refuses: false, zone: "UTC" },
    zone: "UTC",
    onSpent: () => {},
  });
  const waitsUntil = (single: boolean): readonly string[] => {
    const limit = { period: "day", single, most: 5, never: false } as const;
    const held = [{ number: NUMBER, reason: "limit", limit }] as const;
    const rules = { ...NO_RULES, zone: "UTC", category: "", once: false };
    return check
      .hold({ recipients: [NUMBER], held, rules, content: "{}" }, NOW)
      .map(({ until, all }) => `${new Date(until).toISOString().slice(5, 16)}${all ? " for all" : ""}`);
  };

  it("waits until the next of them begin", () => {
    assert.deepEqual(waitsUntil(true), ["11-27T08:00"]);
  });

  it("waits for the limit alone where that is of the account, for others may leave at any hour", () => {
    assert.deepEqual(waitsUntil(false), ["11-27T00:00 for all"]);
  });
});
