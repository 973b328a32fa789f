import { onBothEngines } from "../../../unit/store/suite/on-both-engines";
import assert from "node:assert/strict";
import { Codes, COUNTER, type Counted, HOUR, type NewCode } from "../../../../nodes/verify-code/store/codes";
import { statement } from "../../../../lib/store/schema/statement";
import { type OpenStore, useFixture } from "../../../unit/store/suite/store-under-test";
import { rowOf } from "../../../../lib/store/engine/query";

const ANNA = "41790000001";
const BEAT = "41790000002";
const MINUTE = 60_000;

const PLACE = { purpose: "login", number: ANNA };
const newCode = (given: Partial<NewCode> = {}): NewCode => ({
  ...PLACE,
  hash: "hash-1",
  validFor: 10 * MINUTE,
  most: 3,
  ...given,
});

const ROWS = statement("test_codes_rows")`
  SELECT (SELECT count(*) FROM codes) AS codes, (SELECT count(*) FROM code_counts) AS counts`;

/** One-time codes, whatever the engine. */
function codesSuite(open: OpenStore): void {
  const { clock, engine, store } = useFixture(open);
  const codes = (account = "a1") => store.of(Codes, account);
  const rows = async () => {
    const row = await rowOf(engine, ROWS);
    return [Number(row?.codes), Number(row?.counts)];
  };

  it("makes one random key for an account, also when several processes ask at once", async () => {
    const keys = await Promise.all([codes().key(), codes().key(), codes().key()]);
    assert.deepEqual(new Set(keys.map(String)).size, 1);
    assert.equal(keys[0]?.length, 32);
    assert.deepEqual(await codes().key(), keys[0]);
    assert.notDeepEqual(await codes("a2").key(), keys[0]);
  });

  it("is not accepted in another scope", async () => {
    await codes("live").put(newCode());
    assert.deepEqual(await codes("simulated").try(PLACE), { state: "none" });
    assert.equal((await codes("live").try(PLACE)).state, "valid");
  });

  describe("a one-time code", () => {
    it("is found with its hash while it is valid, and belongs to its account, purpose and number", async () => {
      assert.equal(await codes().put(newCode()), clock.time + 10 * MINUTE);
      assert.deepEqual(await codes().try(PLACE), { state: "valid", hash: "hash-1", triesLeft: 2 });
      assert.deepEqual(await codes().try({ ...PLACE, purpose: "payment" }), { state: "none" });
      assert.deepEqual(await codes().try({ ...PLACE, number: BEAT }), { state: "none" });
      assert.deepEqual(await codes("a2").try(PLACE), { state: "none" });
    });

    it("is worth nothing after its tries", async () => {
      await codes().put(newCode({ most: 2 }));
      assert.deepEqual(await codes().try(PLACE), { state: "valid", hash: "hash-1", triesLeft: 1 });
      assert.deepEqual(await codes().try(PLACE), { state: "valid", hash: "hash-1", triesLeft: 0 });
      assert.deepEqual(await codes().try(PLACE), { state: "too-many" });
      await codes().put(newCode({ hash: "hash-2" }));
      assert.deepEqual(await codes().try(PLACE), { state: "valid", hash: "hash-2", triesLeft: 2 });
    });

    it("is worth nothing after its time", async () => {
      await codes().put(newCode());
      clock.pass(10 * MINUTE - 1);
      assert.equal((await codes().try(PLACE)).state, "valid");
      clock.pass(1);
      assert.deepEqual(await codes().try(PLACE), { state: "expired" });
      assert.equal(await codes().use(PLACE, "hash-1"), false);
    });

    it("is replaced by a newer one, which only its own hash uses up", async () => {
      await codes().put(newCode());
      await codes().put(newCode({ hash: "hash-2" }));
      assert.equal(await codes().use(PLACE, "hash-1"), false);
      assert.equal(await codes().use({ ...PLACE, number: BEAT }, "hash-2"), false);
      assert.equal(await codes("a2").use(PLACE, "hash-2"), false);
      assert.equal(await codes().use(PLACE, "hash-2"), true);
      assert.deepEqual(await codes().try(PLACE), { state: "none" });
    });

    it("is used up by one of many at the same time", async () => {
      await codes().put(newCode());
      const used = await Promise.all(Array.from({ length: 20 }, () => codes().use(PLACE, "hash-1")));
      assert.equal(used.filter(Boolean).length, 1);
    });

    it("lets through as many tries as it has of many at the same time", async () => {
      await codes().put(newCode({ most: 7 }));
      const tried = await Promise.all(Array.from({ length: 50 }, () => codes().try(PLACE)));
      const left = tried.flatMap((each) => (each.state === "valid" ? [each.triesLeft] : []));
      assert.deepEqual(left.sort(), [0, 1, 2, 3, 4, 5, 6]);
    });
  });

  describe("what somebody may do in an hour", () => {
    const caller = (most: number, subject = "anna"): Counted => ({ kind: "caller", subject, most });
    const number = (most: number, subject = "anna"): Counted => ({ kind: "number", subject, most });

    it("is counted for each of them, or for nobody where one has reached it", async () => {
      assert.equal(await codes().count([]), true);
      assert.equal(await codes().count([number(1), caller(1)]), true);
      assert.equal(await codes().count([number(1), caller(9)]), false, "the number has reached it");
      assert.equal(await codes().count([caller(2)]), true, "the refused one was not counted");
      assert.equal(await codes().count([caller(2)]), false);
      assert.equal(await codes().count([caller(1, "beat")]), true, "somebody else");
      assert.equal(await codes("a2").count([caller(1)]), true, "another account");
      assert.equal(await codes().count([caller(3)]), true, "another node allows more");
    });

    it("is never more, wherever the hour begins", async () => {
      const passed: number[] = [];
      for (let minute = 0; minute < 240; minute++) {
        if (await codes().count([caller(5)])) {
          passed.push(clock.time);
        }
        clock.pass(MINUTE);
      }
      assert.ok(passed.length >= 3 * 5, `${passed.length} passed`);
      for (const time of passed) {
        const within = passed.filter((other) => other > time - HOUR && other <= time);
        assert.ok(within.length <= 5, `${within.length} in an hour`);
      }
    });

    it("is never more with many at the same time, also of processes for which the next counter has begun", async () => {
      const next = clock.time + COUNTER - (clock.time % COUNTER);
      const counted = await Promise.all(
        Array.from({ length: 200 }, (_, at) => {
          clock.time = at % 3 === 0 ? next : next - 1;
          return codes().count([number(40), caller(30, `caller-${at % 2}`)]);
        }),
      );
      assert.equal(counted.filter(Boolean).length, 40);
    });
  });

  it("are deleted an hour after their end, and their counters when no limit needs them", async () => {
    clock.time -= clock.time % COUNTER;
    await codes().put(newCode());
    await codes().put(newCode({ number: BEAT, validFor: 5 * HOUR }));
    await codes().count([{ kind: "caller", subject: "anna", most: 1 }]);
    clock.pass(HOUR);
    await store.retention.deleteOld("a1", 365 * 24 * HOUR);
    assert.equal(await codes().count([{ kind: "caller", subject: "anna", most: 1 }]), false);
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

onBothEngines("one-time codes", codesSuite);
