import assert from "node:assert/strict";
import { RateLimiter } from "../../../../lib/gateway/queue/rate-limiter";
import { CancelSignal } from "../../../../lib/gateway/http/cancel-signal";
import type { Timing } from "../../../../lib/gateway/http/timing";
import { VirtualTiming } from "../../../support/virtual-timing";

describe("gateway origin limiter", () => {
  let timing: VirtualTiming;
  let leaves: (() => void)[];
  let passed: number[];
  const start = 1_000;

  beforeEach(() => {
    timing = new VirtualTiming(start);
    leaves = [];
    passed = [];
  });

  const leaveAll = (): void => {
    for (const leave of leaves.splice(0)) {
      leave();
    }
  };
  afterEach(leaveAll);

  function join(perSecond: number, origin = "https://a.test", clock: Timing = timing): RateLimiter {
    const { limiter, leave } = RateLimiter.join(origin, perSecond, clock);
    leaves.push(leave);
    return limiter;
  }

  const pass = (limiter: RateLimiter, signal = new CancelSignal()): Promise<void> =>
    limiter.turn(signal).then(() => void passed.push(timing.elapsed() - start));
  /** So many pass while so much time goes by. */
  const passIn = async (ms: number, ...limiters: RateLimiter[]): Promise<void> => {
    const all = Promise.all(limiters.map((limiter) => pass(limiter)));
    await timing.advance(ms);
    await all;
  };

  it("lets one pass each interval, in order, without saving up", async () => {
    const limiter = join(4);
    assert.equal(limiter.free, false);
    await passIn(10_000, limiter, limiter, limiter);
    await passIn(0, limiter);
    await passIn(250, limiter);
    assert.deepEqual(passed, [0, 250, 500, 10_000, 10_250]);
  });

  it("keeps to the lowest rate of its users, and forgets it with them", async () => {
    const limiter = join(10);
    const slow = RateLimiter.join("https://a.test", 1, timing);
    await passIn(1_000, limiter, slow.limiter);
    slow.leave();
    slow.leave();
    await passIn(2_000, limiter, limiter);
    assert.deepEqual(passed, [0, 1_000, 2_000, 2_100]);
  });

  it("holds every request during a back-off, those already waiting included", async () => {
    const limiter = join(2);
    const all = Promise.all([pass(limiter), pass(limiter), pass(limiter)]);
    await timing.advance(100);
    limiter.backOff(3_000);
    limiter.backOff(1_000);
    await timing.advance(2_999);
    assert.deepEqual(passed, [0]);
    await timing.advance(10_000);
    await all;
    const [, second = 0, third = 0] = passed;
    assert.ok(second >= 3_100 && third - second >= 500, passed.join(" "));
  });

  it("divides the rate by the processes that share it, and stays below it", async () => {
    const { limiter, share, leave } = RateLimiter.join("https://a.test", 10, timing);
    leaves.push(leave);
    share(3);
    assert.deepEqual([limiter.takeSlot(), limiter.takeSlot()].map(Math.round), [0, 306]);
  });

  it("sends no requests close together that waited for the same connection", async () => {
    const limiter = join(10);
    assert.deepEqual([limiter.takeSlot(), limiter.takeSlot(), limiter.takeSlot()], [0, 100, 200]);
    await timing.advance(250);
    assert.deepEqual([limiter.depart(), limiter.depart()], [true, false]);
    await timing.advance(95);
    assert.equal(limiter.depart(), true);
  });
});
