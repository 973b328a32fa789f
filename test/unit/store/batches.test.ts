import assert from "node:assert/strict";
import { Batches } from "../../../lib/store/engine/batches";
import { StoreError } from "../../../lib/store/engine/store-error";

describe("batches of a store", () => {
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
