import assert from "node:assert/strict";
import { MemoryCodes } from "../../../../lib/runtime/memory/memory-codes";
import { type Counted, HOUR } from "../../../../lib/store/codes";
import { newCode, PLACE } from "../../store/suite/code-store-contract";
import { TestClock } from "../../store/suite/store-under-test";

describe("the one-time codes of an account in memory", () => {
  let clock: TestClock;
  beforeEach(() => {
    clock = new TestClock();
  });
  const caller = (who: string, most = 9): Counted => ({ what: "caller", who, most });

  it("are of a limited number: the one that was made first goes", async () => {
    const codes = new MemoryCodes("a1", clock, 2, 9);
    for (const number of ["411", "412", "411", "413"]) {
      await codes.put(newCode({ number }));
    }
    const states = ["411", "412", "413"].map(async (number) => (await codes.try({ ...PLACE, number })).state);
    assert.deepEqual(await Promise.all(states), ["valid", "none", "valid"]);
  });

  it("are counted for a limited number of callers: those who were there the longest ago are forgotten, and nobody is kept out", async () => {
    const codes = new MemoryCodes("a1", clock, 9, 2);
    for (const who of ["anna", "beat", "carla"]) {
      assert.equal(await codes.count([caller(who, 1)]), true, who);
    }
    assert.equal(await codes.count([caller("carla", 1)]), false);
    assert.equal(await codes.count([caller("beat", 1)]), false, "who is known has its limit");
    assert.equal(await codes.count([caller("dora", 1)]), true);
    assert.equal(await codes.count([caller("beat", 1)]), false, "who goes on trying is not forgotten");
    assert.equal(codes.size, 2);
  });

  it("limit a number also while callers come by a hundred thousand addresses and more", async () => {
    const codes = new MemoryCodes("a1", clock);
    const number: Counted = { what: "number", who: "411", most: 1 };
    assert.equal(await codes.count([number, caller("anna")]), true);
    for (let at = 0; at < 300_000; at++) {
      await codes.count([caller(`caller ${at}`)]);
    }
    assert.equal(await codes.count([caller("new")]), true, "somebody new");
    assert.equal(await codes.count([number, caller("anna")]), false, "the number");
    assert.ok(codes.size <= 100_001, `${codes.size} people`);
  });

  it("leave the memory an hour after their end, as new ones come", async () => {
    const codes = new MemoryCodes("a1", clock);
    await codes.put(newCode());
    await codes.count([caller("anna"), { what: "number", who: "411", most: 9 }]);
    assert.equal(codes.size, 3);
    clock.pass(3 * HOUR);
    await codes.put(newCode({ number: "412" }));
    await codes.count([caller("anna")]);
    assert.equal(codes.size, 2);
  });
});
