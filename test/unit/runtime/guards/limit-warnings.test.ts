import assert from "node:assert/strict";
import { type LimitUse, LimitWarnings } from "../../../../lib/runtime/guards/limit-warnings";
import { waitFor } from "../../../support/wait-for";

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

  it("say once that the limit is reached", () => {
    const { warnings, said } = begin();
    for (const messages of [80, 100, 100, 99, 100]) {
      warnings.spent("hour", messages, 100);
    }
    assert.deepEqual(said(), ["80/100 hour false", "100/100 hour true"]);
    warnings.close();
  });

  it("say only that it is reached where both come at once", () => {
    const { warnings, said } = begin();
    warnings.spent("day", 1, 1);
    warnings.spent("hour", 7, 9);
    warnings.spent("hour", 8, 9);
    assert.deepEqual(said(), ["1/1 day true", "8/9 hour false"]);
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

  it("show the limit that is nearest to its end, and nothing any more where messages were given back", () => {
    const { warnings, told } = begin();
    warnings.spent("hour", 85, 100);
    warnings.spent("day", 80, 100);
    warnings.spent("day", 90, 100);
    warnings.spent("day", 70, 100);
    warnings.spent("hour", 79, 100);
    const shown = told.shown.map((use) => use && `${use.messages} ${use.period}`);
    assert.deepEqual(shown, ["85 hour", "90 day", "85 hour", null]);
    warnings.close();
  });

  it("show nothing any more when the period ends", async () => {
    const start = Date.parse("2026-07-01T12:59:59.980Z");
    const { warnings, told } = begin(undefined, start);
    warnings.spent("hour", 85, 100);
    told.now += 30;
    await waitFor("the end of the hour", () => told.shown.length === 2);
    assert.equal(told.shown[1], null);
    warnings.close();
  });

  it("start no timer that is too long for Node.js where the clock was set back by months", async () => {
    const waits: number[] = [];
    const realTimeout = globalThis.setTimeout;
    globalThis.setTimeout = ((call: () => void, ms = 0) => {
      waits.push(ms);
      return realTimeout(call, ms);
    }) as typeof setTimeout;
    const { warnings, told } = begin(undefined, Date.parse("2026-07-01T12:59:59.995Z"));
    try {
      warnings.spent("hour", 80, 100);
      told.now -= 90 * 24 * HOUR;
      await new Promise<void>((resolve) => {
        const look = (): unknown => (waits.length > 1 ? resolve() : setImmediate(look));
        look();
      });
    } finally {
      globalThis.setTimeout = realTimeout;
      warnings.close();
    }
    assert.ok(Math.max(...waits) < 2 ** 31, `${waits}`);
  });

  it("tell nothing after they were closed", () => {
    const { warnings, told } = begin();
    warnings.close();
    warnings.spent("hour", 100, 100);
    assert.deepEqual([told.warned, told.shown], [[], []]);
  });
});
