import assert from "node:assert/strict";
import { type LimitUse, LimitWarnings } from "../../../../lib/runtime/guards/limit-warnings";

const HOUR = 3_600_000;
let accounts = 0;

/** Warnings of an account at noon UTC, with what was told. */
function begin(account = `account ${++accounts}`, start = Date.parse("2026-07-01T12:10:00Z")) {
  const told = { warned: [] as LimitUse[], shown: [] as (LimitUse | null)[], now: start };
  const listener = {
    warned: (use: LimitUse) => void told.warned.push(use),
    shown: (use: LimitUse | null) => void told.shown.push(use),
  };
  const warnings = new LimitWarnings(account, "UTC", listener, () => told.now);
  const said = (): string[] =>
    told.warned.map(({ period, messages, limit, reached }) => `${messages}/${limit} ${period} ${reached}`);
  return { account, warnings, told, said };
}

describe("warnings of limits", () => {
  it("say nothing below 80 %, and once from there on", () => {
    const { warnings, told, said } = begin();
    warnings.spent("hour", 79, 100);
    assert.deepEqual([told.warned, told.shown], [[], []]);
    for (const messages of [80, 81, 99]) {
      warnings.spent("hour", messages, 100);
    }
    assert.deepEqual(said(), ["80/100 hour false"]);
    assert.deepEqual(
      told.shown.map((use) => use?.messages),
      [80, 81, 99],
    );
    assert.equal(told.warned[0]?.ends, Date.parse("2026-07-01T13:00:00Z"));
    warnings.close();
  });

  it("say it again in the next period, and for another limit, but not after a deploy", () => {
    const { account, warnings, told, said } = begin();
    warnings.spent("hour", 80, 100);
    warnings.spent("day", 80, 100);
    told.now += HOUR;
    warnings.spent("hour", 85, 100);
    warnings.spent("day", 85, 100);
    warnings.spent("hour", 170, 200);
    assert.deepEqual(said(), [
      "80/100 hour false",
      "80/100 day false",
      "85/100 hour false",
      "170/200 hour false",
    ]);
    warnings.close();
    const next = begin(account, told.now);
    next.warnings.spent("hour", 86, 100);
    next.warnings.spent("day", 100, 100);
    assert.deepEqual(next.said(), ["100/100 day true"]);
    assert.equal(next.told.shown.length, 2);
    next.warnings.close();
  });
});
