import assert from "node:assert/strict";
import { MemoryLimits } from "../../../../../lib/runtime/guards/memory/memory-limits";
import type { ClaimLimits } from "../../../../../lib/store/guards/limits";

const [A, B, C] = ["41790000001", "41790000002", "41790000003"] as const;
const NO_LIMITS: ClaimLimits = {
  hour: null,
  day: null,
  numberHour: null,
  numberDay: null,
  hourStarts: 10,
  dayStarts: 10,
};

describe("limits in memory", () => {
  const reserve = (
    limits: MemoryLimits,
    numbers: readonly string[],
    changed: Partial<ClaimLimits>,
    cost = 1,
  ) => {
    const { reserved, held } = limits.reserve(numbers, cost, { ...NO_LIMITS, ...changed });
    return {
      reserved,
      passing: reserved.numbers,
      held: held.map((each) =>
        each.reason === "limit"
          ? `${each.number} ${each.limit.period} ${each.limit.single} ${each.limit.never}`
          : "",
      ),
    };
  };

  it("let as many leave as they have left, the first ones of a list", () => {
    const limits = new MemoryLimits();
    const { passing, held } = reserve(limits, [A, B, C], { hour: 2 });
    assert.deepEqual([passing, held], [[A, B], [`${C} hour false false`]]);
    assert.deepEqual(limits.spent, { hour: 2, day: 2 });
    assert.deepEqual(reserve(limits, [A], { hour: 2 }).passing, []);
    assert.deepEqual(reserve(limits, [A], { hour: 3 }).passing, [A]);
  });

  it("count segments, and never let through what alone is above them", () => {
    const limits = new MemoryLimits();
    assert.deepEqual(reserve(limits, [A, B], { day: 5 }, 3).passing, [A]);
    assert.deepEqual(reserve(limits, [A], { day: 5 }, 6).held, [`${A} day false true`]);
    assert.deepEqual(reserve(limits, [A], { day: 5 }, 2).passing, [A]);
  });

  it("count each number, of all messages", () => {
    const limits = new MemoryLimits();
    const single = { numberHour: 1, numberDay: 2, day: 100 };
    assert.deepEqual(reserve(limits, [A, B], single).passing, [A, B]);
    const second = reserve(limits, [A, C], single);
    assert.deepEqual([second.passing, second.held], [[C], [`${A} hour true false`]]);
    assert.deepEqual(reserve(limits, [A], { ...single, hourStarts: 20 }).passing, [A]);
    assert.deepEqual(reserve(limits, [A], { ...single, hourStarts: 30 }).held, [`${A} day true false`]);
  });

  it("begin again with each hour and each day", () => {
    const limits = new MemoryLimits();
    const both = { hour: 1, day: 2 };
    assert.deepEqual(reserve(limits, [A], both).passing, [A]);
    assert.deepEqual(reserve(limits, [A], both).held, [`${A} hour false false`]);
    assert.deepEqual(reserve(limits, [A], { ...both, hourStarts: 20 }).passing, [A]);
    assert.deepEqual(reserve(limits, [A], { ...both, hourStarts: 30 }).held, [`${A} day false false`]);
    assert.deepEqual(reserve(limits, [A], { ...both, hourStarts: 40, dayStarts: 40 }).passing, [A]);
  });

  it("give back to the period in which it was reserved", () => {
    const limits = new MemoryLimits();
    const both = { hour: 1, day: 9, numberDay: 9 };
    const { reserved } = reserve(limits, [A], both);
    limits.giveBack(reserved);
    assert.deepEqual(limits.spent, { hour: 0, day: 0 });
    const again = reserve(limits, [A], both);
    reserve(limits, [B], { ...both, hourStarts: 20 });
    limits.giveBack(again.reserved);
    assert.deepEqual(limits.spent, { hour: 1, day: 1 });
  });
});
