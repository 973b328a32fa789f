import assert from "node:assert/strict";
import { COUNTER, HOUR } from "../../../../lib/store/codes";
import { statement } from "../../../../lib/store/schema/statement";
import { ANNA, BEAT, codeStoreContract, newCode, PLACE } from "./code-store-contract";
import { type OpenStore, useFixture } from "./store-under-test";
import { rowOf } from "../../../../lib/store/engine/query";

const ROWS = statement("test_codes_rows")`
  SELECT (SELECT count(*) FROM codes) AS codes, (SELECT count(*) FROM code_counts) AS counts`;

/** One-time codes, whatever the engine. */
export function codesSuite(open: OpenStore): void {
  const { clock, engine, store } = useFixture(open);
  const codes = (account = "a1") => store.codes(account);
  const rows = async () => {
    const row = await rowOf(engine, ROWS);
    return [Number(row?.codes), Number(row?.counts)];
  };

  codeStoreContract(() => {
    return { clock, of: (account) => store.codes(account) };
  });

  it("are deleted an hour after their end, and their counters when no limit needs them", async () => {
    clock.time -= clock.time % COUNTER;
    await codes().put(newCode());
    await codes().put(newCode({ number: BEAT, validFor: 5 * HOUR }));
    await codes().count([{ what: "caller", who: "anna", most: 1 }]);
    clock.pass(HOUR);
    await store.retention.deleteOld("a1", 365 * 24 * HOUR);
    assert.equal(await codes().count([{ what: "caller", who: "anna", most: 1 }]), false);
    assert.deepEqual(await codes().try(PLACE), { state: "expired" });
    clock.pass(COUNTER);
    await store.retention.deleteOld("a1", 365 * 24 * HOUR);
    assert.equal((await rows())[0], 1);
    clock.pass(2 * HOUR);
    await store.retention.deleteRemoved("a9", 1);
    assert.deepEqual(await rows(), [1, 0]);
    assert.equal((await codes().try({ ...PLACE, number: BEAT })).state, "valid");
  });

  it("are deleted with everything else about their number", async () => {
    await codes().put(newCode());
    await codes("a2").put(newCode({ purpose: "payment" }));
    await codes().put(newCode({ number: BEAT }));
    await store.retention.deleteNumber(ANNA);
    assert.deepEqual(await rows(), [1, 0]);
    assert.equal((await codes().try({ ...PLACE, number: BEAT })).state, "valid");
  });
}
