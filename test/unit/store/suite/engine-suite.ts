import assert from "node:assert/strict";
import type { SharedEngine } from "../../../../lib/store/engine/shared-engines";
import type { StoreError } from "../../../../lib/store/engine/store-error";
import { add, fails, list } from "../engine-statements";

type Share = () => Promise<SharedEngine>;

/**
 * What every engine does.
 * @param share opens the empty database of a test, the same one each time
 * @param shareOther opens another one
 */
export function engineSuite(share: Share, shareOther: Share): void {
  it("runs all of an operation or nothing, and others at the same time all the same", async () => {
    const { engine, release } = await share();
    const results = await Promise.allSettled([
      add(engine, "a"),
      add(engine, "b", "b"),
      add(engine, "c", "d"),
    ]);
    const [first, { reason }, third] = results as [unknown, { reason: StoreError }, unknown];
    assert.deepEqual([reason.code, reason.uncertain], ["STORE_REFUSED", false]);
    assert.ok(first !== undefined && third !== undefined);
    assert.deepEqual(await list(engine), ["a", "c", "d"]);
    await release();
  });

  it("is one for all who name the same place, until the last has left", async () => {
    const [first, second, other] = [await share(), await share(), await shareOther()];
    assert.equal(first.engine, second.engine);
    assert.notEqual(first.engine, other.engine);
    await first.release();
    await first.release();
    await add(second.engine, "a");
    assert.deepEqual(await list(other.engine), []);
    const left = second.release();
    const third = await share();
    await left;
    await other.release();
    assert.notEqual(third.engine, second.engine);
    await fails(list(second.engine), "STORE_CLOSED");
    assert.deepEqual(await list(third.engine), ["a"]);
    await third.release();
  });

  it("finishes what was asked for before it closes", async () => {
    const { engine, release } = await share();
    const added = Array.from({ length: 50 }, (_, at) => add(engine, `a${at}`));
    await release();
    await Promise.all(added);
    const again = await share();
    assert.equal((await list(again.engine)).length, 50);
    await again.release();
  });
}
