import assert from "node:assert/strict";
import { CancelSignal } from "../../../../lib/gateway/http/cancel-signal";
import { Schedule } from "../../../../lib/gateway/queue/schedule";
import { breathe, VirtualTiming } from "../../../support/virtual-timing";

const STEP = 30_000;
const DAY = 86_400_000;

function setUp() {
  const timing = new VirtualTiming();
  const taken: string[] = [];
  const schedule = new Schedule<string>(timing, () => {
    for (let entry = schedule.take(); entry !== undefined; entry = schedule.take()) {
      taken.push(entry);
    }
  });
  const start = timing.now();
  return { timing, schedule, taken, start, in: (ms: number) => start + ms };
}

describe("schedule of the queue", () => {
  it("gives entries in the order of their moments, those of the same moment in their own order, none too early", async () => {
    const { timing, schedule, taken, in: at } = setUp();
    const entries = Array.from({ length: 200 }, (_none, n) => ({ n, ms: ((n * 37) % 20) * 1_000 + 1_000 }));
    for (const { n, ms } of entries) {
      schedule.add(String(n), at(ms));
    }
    await timing.advance(999);
    assert.deepEqual(taken, []);
    await timing.advance(19_001);
    const expected = entries.sort((a, b) => a.ms - b.ms || a.n - b.n).map(({ n }) => String(n));
    assert.deepEqual(taken, expected);
    assert.equal(timing.sleeping, 0);
  });

  it("has one timer for 100,000 entries, and none without an entry", async () => {
    const { timing, schedule, taken, in: at } = setUp();
    for (let n = 0; n < 100_000; n++) {
      schedule.add(String(n), at(DAY + n));
      assert.ok(timing.sleeping <= 1);
    }
    assert.equal(timing.sleeping, 1);
    schedule.drop(100_000, () => true);
    await breathe();
    assert.deepEqual([timing.sleeping, schedule.size, taken.length], [0, 0, 0]);
  });

  it("wakes for an earlier entry that comes later", async () => {
    const { timing, schedule, taken, in: at } = setUp();
    schedule.add("late", at(20_000));
    await breathe();
    schedule.add("early", at(10_000));
    await timing.advance(10_000);
    assert.deepEqual(taken, ["early"]);
  });

  it("waits for months in steps of at most 30 s", async () => {
    const { timing, schedule, taken, in: at } = setUp();
    schedule.add("far", at(26 * DAY));
    await timing.advance(26 * DAY - 1);
    assert.deepEqual(taken, []);
    await timing.advance(1);
    assert.deepEqual(taken, ["far"]);
    assert.equal(Math.max(...timing.slept), STEP);
  });

  it("notices within 30 s that the clock was set, forwards and backwards", async () => {
    let jump = 0;
    const timing = new VirtualTiming();
    const jumping = { ...timing, now: () => timing.now() + jump, sleep: timing.sleep };
    const taken: string[] = [];
    const schedule: Schedule<string> = new Schedule(jumping, () => taken.push(schedule.take() ?? ""));
    schedule.add("a", timing.now() + 10 * DAY);
    await timing.advance(1_000);
    jump = 10 * DAY;
    await timing.advance(STEP);
    assert.deepEqual(taken, ["a"]);
    schedule.add("b", timing.now() + jump + 5_000);
    await breathe();
    jump = 0;
    await timing.advance(STEP);
    assert.deepEqual(taken, ["a"], "set back: not before the clock says so");
    jump = 10 * DAY;
    await timing.advance(STEP);
    assert.deepEqual(taken, ["a", "b"]);
  });

  it("removes dropped entries from memory when they are the most", () => {
    const { schedule, in: at } = setUp();
    const dropped = new Set<string>();
    for (let n = 0; n < 100; n++) {
      schedule.add(String(n), at(1_000));
    }
    for (let n = 0; n < 49; n++) {
      dropped.add(String(n));
      schedule.drop(1, (entry) => dropped.has(entry));
    }
    assert.equal(schedule.size, 100);
    dropped.add("49");
    schedule.drop(1, (entry) => dropped.has(entry));
    assert.equal(schedule.size, 50);
  });

  it("leaves no timer behind when the last entry is taken before its wake-up call", async () => {
    const timing = new VirtualTiming();
    const schedule = new Schedule<string>(timing, () => {});
    schedule.add("a", timing.now() + 1);
    await timing.sleep(
      0,
      (() => {
        const signal = new CancelSignal();
        signal.stop();
        return signal;
      })(),
    );
    await timing.advance(1);
    assert.equal(schedule.take(), "a");
    await breathe();
    assert.equal(timing.sleeping, 0);
  });
});
