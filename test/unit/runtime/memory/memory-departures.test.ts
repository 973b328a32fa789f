import assert from "node:assert/strict";
import { MemoryDepartures } from "../../../../lib/runtime/memory/memory-departures";

describe("MemoryDepartures", () => {
  const setUp = (most?: number) => {
    const clock = { now: 1_000_000 };
    return { clock, departures: new MemoryDepartures(() => clock.now, most) };
  };

  it("know when a request left, the last time where its id was used again", () => {
    const { clock, departures } = setUp();
    departures.follow();
    departures.note("a");
    clock.now += 5;
    departures.note("b");
    departures.note("b");
    clock.now += 5;
    assert.deepEqual([departures.leftAt("a"), departures.leftAt("b")], [1_000_000, 1_000_005]);
    departures.note("a");
    assert.equal(departures.leftAt("a"), 1_000_010);
  });

  it("note nothing before somebody wants to know it", () => {
    const { clock, departures } = setUp();
    departures.note("a");
    clock.now += 5;
    departures.follow();
    clock.now += 5;
    departures.follow();
    assert.equal(departures.leftAt("a"), 1_000_005);
  });

  it("take a request that is not known for older than all that are", () => {
    const { clock, departures } = setUp();
    departures.follow();
    departures.note("a");
    clock.now += 600_000;
    assert.equal(departures.leftAt("a"), 1_000_000);
  });

  it("say now where they cannot know", () => {
    const { clock, departures } = setUp(2);
    assert.equal(departures.leftAt("a"), clock.now);
    departures.follow();
    for (const id of ["a", "b", "c"]) {
      departures.note(id);
    }
    clock.now += 5;
    assert.deepEqual([departures.leftAt("a"), departures.leftAt(null)], [clock.now, clock.now]);
  });
});
