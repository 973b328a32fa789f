import assert from "node:assert/strict";
import { MemoryDigests } from "../../../../lib/runtime/memory/memory-digests";
import type { NewItem } from "../../../../lib/store/digest";
import { MINUTE, newItem, NODE } from "../../store/suite/digest-store-contract";
import { TestClock } from "../../store/suite/store-under-test";

describe("digests in memory", () => {
  let clock: TestClock;
  let digests: MemoryDigests;
  beforeEach(() => {
    clock = new TestClock();
    digests = new MemoryDigests(clock);
  });
  const add = (given: Partial<NewItem> = {}) => digests.add(NODE, newItem(given));
  const leave = async () => {
    const departures = await digests.depart(NODE, "", 10);
    await digests.left(NODE, departures);
    return departures;
  };

  it("are sensitive for one message, also for one that is not listed, until all is over", async () => {
    const sensitive = async () => (await leave()).map((each) => [each.kind, each.sensitive]);
    await add({ most: 1 });
    await add({ most: 1, sensitive: true });
    await add({ most: 1 });
    assert.deepEqual(await sensitive(), [["digest", true]]);
    await add();
    clock.pass(10 * MINUTE);
    assert.deepEqual(await sensitive(), [["digest", false]]);
    clock.pass(15 * MINUTE);
    assert.deepEqual(await sensitive(), [["over", true]]);
    await add();
    assert.deepEqual(await sensitive(), [["digest", false]]);
  });

  it("have a limit of characters, also for what is leaving, and room again for what has left", async () => {
    digests = new MemoryDigests(clock, 1_000);
    const long = { item: "i".repeat(100), message: "m".repeat(300) };
    await add(long);
    const departures = await digests.depart(NODE, "", 10);
    await add({ ...long, key: "door" });
    const isFull = { code: "DIGEST_FULL" };
    await assert.rejects(add({ ...long, key: "gate" }), isFull);
    assert.equal((await digests.counts(NODE)).keys, 1);
    await digests.left(NODE, departures);
    clock.pass(15 * MINUTE);
    await leave();
    clock.pass(10 * MINUTE);
    await leave();
    await Promise.all(["a", "b"].map((key) => add({ ...long, key })));
    await assert.rejects(add({ ...long, key: "c" }), isFull);
  });
});
