import assert from "node:assert/strict";
import { Batches } from "../../../lib/store/engine/batches";
import { StoreError } from "../../../lib/store/engine/store-error";

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("batches of a store", () => {
  it("put together what comes within a turn, and what comes while two of them are under way", async () => {
    const sizes: number[] = [];
    const ends: (() => void)[] = [];
    const batches = new Batches<number, number>(async (entries) => {
      sizes.push(entries.length);
      await new Promise<void>((resolve) => ends.push(resolve));
      return entries.map((entry) => entry * 2);
    });
    const results = [batches.add(1), batches.add(2)];
    await nextTurn();
    results.push(batches.add(3));
    await nextTurn();
    results.push(batches.add(4), batches.add(5), batches.add(6));
    await nextTurn();
    assert.deepEqual(sizes, [2, 1]);
    ends[1]?.();
    await results[2];
    await nextTurn();
    assert.deepEqual(sizes, [2, 1, 3]);
    for (const end of ends) end();
    assert.deepEqual(await Promise.all(results), [2, 4, 6, 8, 10, 12]);
  });

  it("are no longer than one parameter may be, but for a single entry", async () => {
    const MIB = 1024 * 1024;
    const sizes: number[][] = [];
    const batches = new Batches<number, number>(
      async (entries) => {
        sizes.push([...entries]);
        return entries;
      },
      (mib) => mib * MIB,
    );
    await Promise.all([3, 5, 1, 20, 2, 2].map((mib) => batches.add(mib)));
    assert.deepEqual(sizes, [[3, 5], [1], [20], [2, 2]]);
  });

  it("have 250 entries at most", async () => {
    const sizes: number[] = [];
    const batches = new Batches<number, number>(async (entries) => {
      sizes.push(entries.length);
      return entries;
    });
    await Promise.all(Array.from({ length: 501 }, (_, n) => batches.add(n)));
    assert.deepEqual(sizes, [250, 250, 1]);
  });

  it("fail one entry alone where the database refuses it", async () => {
    const batches = new Batches<string, string>(async (entries) => {
      if (entries.includes("bad")) throw new StoreError("STORE_REFUSED", "x", "", false);
      return entries;
    });
    const results = await Promise.allSettled(["a", "bad", "c"].map((entry) => batches.add(entry)));
    assert.deepEqual(
      results.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
  });

  it("fail all entries of a batch that the store could not write, without another attempt", async () => {
    let runs = 0;
    const batches = new Batches<string, string>(async () => {
      runs++;
      throw new StoreError("STORE_FULL", "x", "", true);
    });
    const results = await Promise.allSettled(["a", "b"].map((entry) => batches.add(entry)));
    assert.deepEqual(
      results.map(({ status }) => status),
      ["rejected", "rejected"],
    );
    assert.equal(runs, 1);
  });
});
