import assert from "node:assert/strict";
import { RateLimiter } from "../../../../lib/gateway/queue/rate-limiter";
import { CancelSignal } from "../../../../lib/gateway/http/cancel-signal";
import { REAL_TIMING, type Timing } from "../../../../lib/gateway/http/timing";
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

  it("is one for an origin as long as it has a user", () => {
    const first = join(0);
    assert.equal(join(5), first);
    assert.notEqual(join(0, "https://b.test"), first);
    leaveAll();
    assert.notEqual(join(0), first);
  });

  it("delays nothing without a rate or a back-off", async () => {
    const limiter = join(0);
    assert.equal(limiter.free, true);
    await Promise.all([pass(limiter), pass(limiter)]);
    assert.deepEqual([passed, timing.slept], [[0, 0], []]);
  });

  it("is free again after a back-off that nobody has waited for", async () => {
    const limiter = join(0);
    limiter.backOff(500);
    await timing.advance(499);
    assert.equal(limiter.free, false);
    await timing.advance(1);
    assert.equal(limiter.free, true);
  });

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

  it("is free again after a back-off without a rate", async () => {
    const limiter = join(0);
    limiter.backOff(500);
    assert.equal(limiter.free, false);
    await passIn(500, limiter);
    await pass(limiter);
    assert.deepEqual([passed, limiter.free], [[500, 500], true]);
  });

  it("lets go of one whose signal is stopped, at once", async () => {
    const limiter = join(0.001);
    await pass(limiter);
    const signal = new CancelSignal();
    const waiting = pass(limiter, signal);
    signal.stop();
    await waiting;
    assert.deepEqual([passed, timing.sleeping], [[0, 0], 0]);
  });

  it("sleeps on where a timer comes early", async () => {
    const early = new VirtualTiming(start);
    let sleeps = 0;
    const { now, random, elapsed } = early;
    const sleep = (ms: number): Promise<void> => early.advance(++sleeps === 1 ? ms / 2 : ms);
    const limiter = join(1, "https://early.test", { now, random, elapsed, sleep });
    await limiter.turn(new CancelSignal());
    await limiter.turn(new CancelSignal());
    assert.deepEqual([sleeps, early.elapsed() - start], [2, 1_000]);
  });
});

describe("gateway timing", () => {
  it("tells the time, a time that only goes forward, and chance", () => {
    assert.ok(Math.abs(REAL_TIMING.now() - Date.now()) < 1_000);
    const before = REAL_TIMING.elapsed();
    assert.ok(REAL_TIMING.elapsed() >= before);
    const random = REAL_TIMING.random();
    assert.ok(random >= 0 && random < 1);
  });

  it("sleeps, wakes when stopped, does not sleep when stopped before, and outlasts Node.js's longest timer", async () => {
    const signal = new CancelSignal();
    await REAL_TIMING.sleep(1, signal);
    const sleeping = Promise.all([REAL_TIMING.sleep(60_000, signal), REAL_TIMING.sleep(1e12, signal)]);
    let woke = false;
    void sleeping.then(() => {
      woke = true;
    });
    await REAL_TIMING.sleep(20, new CancelSignal());
    assert.equal(woke, false);
    signal.stop();
    await sleeping;
    await REAL_TIMING.sleep(60_000, signal);
  });
});

describe("gateway cancel signal", () => {
  it("calls each listener once, late ones at once, and none that was taken back", () => {
    const signal = new CancelSignal();
    const calls: string[] = [];
    signal.onStop(() => calls.push("a"));
    const release = signal.onStop(() => calls.push("b"));
    release();
    signal.stop();
    signal.stop();
    signal.onStop(() => calls.push("late"));
    assert.deepEqual([calls, signal.stopped], [["a", "late"], true]);
  });

  it("gives up on a promise, and drops what it brings later", async () => {
    const signal = new CancelSignal();
    assert.equal(await signal.orNull(Promise.resolve(7)), 7);
    await assert.rejects(signal.orNull(Promise.reject(new Error("no"))), /no/);
    let fail = (_error: Error): void => {};
    const slow = signal.orNull(
      new Promise<number>((_resolve, reject) => {
        fail = reject;
      }),
    );
    signal.stop();
    assert.equal(await slow, null);
    fail(new Error("too late"));
    assert.equal(await signal.orNull(new Promise(() => {})), null);
  });
});
