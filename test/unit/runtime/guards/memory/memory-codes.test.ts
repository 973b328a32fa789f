import assert from "node:assert/strict";
import { MemoryCodes } from "../../../../../lib/runtime/guards/memory/memory-codes";
import { type Counted, HOUR } from "../../../../../lib/store/codes";
import { codeStoreContract, newCode, PLACE } from "../../../store/suite/code-store-contract";
import { TestClock } from "../../../store/suite/store-under-test";

describe("the one-time codes of an account in memory", () => {
  let clock: TestClock;
  let accounts: Map<string, MemoryCodes>;
  beforeEach(() => {
    clock = new TestClock();
    accounts = new Map();
  });
  const of = (account: string): MemoryCodes => {
    const codes = accounts.get(account) ?? new MemoryCodes(account, clock);
    accounts.set(account, codes);
    return codes;
  };
  codeStoreContract(() => ({ clock, of }));

  const caller = (who: string, most = 9): Counted => ({ what: "caller", who, most });

  it("are the same ones for each user of the account, and no other account's", async () => {
    await MemoryCodes.of("codes-1").put(newCode());
    assert.equal((await MemoryCodes.of("codes-1").try(PLACE)).state, "valid");
    assert.equal((await MemoryCodes.of("codes-2").try(PLACE)).state, "none");
  });

  it("are of a limited number: the one that was made first goes", async () => {
    const codes = new MemoryCodes("a1", clock, 2, 9);
    for (const number of ["411", "412", "411", "413"]) {
      await codes.put(newCode({ number }));
    }
    const states = ["411", "412", "413"].map(async (number) => (await codes.try({ ...PLACE, number })).state);
    assert.deepEqual(await Promise.all(states), ["valid", "none", "valid"]);
  });

  it("leave nobody uncounted where there is no space for a counter, until others have ended", async () => {
    const codes = new MemoryCodes("a1", clock, 9, 2);
    assert.equal(await codes.count([caller("anna")]), true);
    assert.equal(await codes.count([caller("beat")]), true);
    assert.equal(await codes.count([caller("carla")]), false);
    assert.equal(await codes.count([caller("anna")]), true, "who has a counter goes on");
    clock.pass(2 * HOUR);
    assert.equal(await codes.count([caller("carla")]), true);
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
