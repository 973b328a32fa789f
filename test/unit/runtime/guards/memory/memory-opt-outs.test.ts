import assert from "node:assert/strict";
import { MemoryOptOuts } from "../../../../../lib/runtime/guards/memory/memory-opt-outs";

const numbersOf = (entries: readonly { readonly number: string }[]): readonly string[] =>
  entries.map(({ number }) => number);

describe("the opt-outs of an account in memory", () => {
  it("are the same ones for each user of the account, and no other account's", async () => {
    await MemoryOptOuts.of("m1").add(["41790000001"], "all", "flow");
    assert.equal(await MemoryOptOuts.of("m1").count(), 1);
    assert.equal(await MemoryOptOuts.of("m2").count(), 0);
  });

  it("are read in pages in the order of the numbers, also after a change", async () => {
    const list = new MemoryOptOuts();
    await list.add(["433", "411", "4222"], "all", "flow");
    assert.deepEqual(numbersOf(await list.page("", 2)), ["411", "4222"]);
    assert.deepEqual(numbersOf(await list.page("4222", 2)), ["433"]);
    assert.deepEqual(numbersOf(await list.page("433", 2)), []);
    await list.add(["423"], "all", "flow");
    await list.remove(["411"]);
    assert.deepEqual(numbersOf(await list.page("", 9)), ["4222", "423", "433"]);
    assert.deepEqual(numbersOf(await list.page("4223", 9)), ["423", "433"]);
  });

  it("become wider, never narrower", async () => {
    const list = new MemoryOptOuts();
    assert.equal(await list.add(["411", "411"], "advertisement", "flow"), 1);
    assert.equal(await list.add(["411"], "all", "inbound"), 1);
    assert.equal(await list.add(["411"], "advertisement", "flow"), 0);
    assert.deepEqual([list.scopeOf("411"), list.scopeOf("412")], ["all", null]);
  });

  it("are found once for a number that is asked for twice", async () => {
    const list = new MemoryOptOuts();
    await list.add(["411"], "all", "flow");
    assert.deepEqual(numbersOf(await list.find(["411", "412", "411"])), ["411"]);
    assert.equal(await list.remove(["411", "411"]), 1);
  });
});
