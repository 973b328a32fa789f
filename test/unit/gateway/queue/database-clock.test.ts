import assert from "node:assert/strict";
import { DatabaseClock } from "../../../../lib/gateway/queue/database-clock";

describe("clock of a database", () => {
  it("goes by the quickest answer", () => {
    const clock = new DatabaseClock();
    clock.note(1_000_000, 5_000, 5_040);
    assert.equal(clock.momentOf(1_000_100), 5_140);
    clock.note(1_000_050, 5_050, 5_052);
    assert.equal(clock.momentOf(1_000_100), 5_102);
    clock.note(1_000_060, 5_060, 5_090);
    assert.equal(clock.momentOf(1_000_100), 5_102, "a slow answer says less");
  });

  it("forgets old answers, because clocks drift", () => {
    const clock = new DatabaseClock();
    clock.note(0, 0, 0);
    clock.note(40_000, 40_000, 40_030);
    assert.equal(clock.momentOf(50_000), 50_000, "the one before still counts");
    clock.note(80_000, 80_000, 80_030);
    assert.equal(clock.momentOf(90_000), 90_030);
  });

  it("believes a clock that was set, forward or back", () => {
    const clock = new DatabaseClock();
    clock.note(1_000_000, 5_000, 5_010);
    clock.note(1_000_010 - 3_600_000, 5_015, 5_020);
    assert.equal(clock.momentOf(1_000_020 - 3_600_000), 5_030);
    clock.note(1_000_020, 5_025, 5_030);
    assert.equal(clock.momentOf(1_000_030), 5_040);
  });
});
