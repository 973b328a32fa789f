import assert from "node:assert/strict";
import { RateLimiter } from "../../../../lib/gateway/queue/rate-limiter";
import { CancelSignal } from "../../../../lib/gateway/http/cancel-signal";
import { REAL_TIMING } from "../../../../lib/gateway/http/timing";
import { VirtualTiming } from "../../../support/virtual-timing";

describe("gateway origin limiter", () => {
  let timing: VirtualTiming;
  let joined: { limiter: RateLimiter; leave: () => void }[];
  let passed: number[];
  const start = 1_000;

  beforeEach(() => {
    timing = new VirtualTiming(start);
    joined = [];
    passed = [];
  });

  afterEach(() => {
    for (const { leave } of joined) {
      leave();
    }
  });

  function join(perSecond: number, origin = "https://a.test"): RateLimiter {
    const user = RateLimiter.join(origin, perSecond, timing);
    joined.push(user);
    return user.limiter;
  }

  const pass = (limiter: RateLimiter, signal = new CancelSignal()): Promise<void> =>
    limiter.turn(signal).then(() => void passed.push(timing.elapsed() - start));

  it("is one for an origin as long as it has a user", () => {
    const first = join(0);
    assert.equal(join(5), first);
    assert.notEqual(join(0, "https://b.test"), first);
    for (const { leave } of joined.splice(0, 2)) {
      leave();
    }
    assert.notEqual(join(0), first);
  });

  it("delays nothing without a rate or a back-off", async () => {
    const limiter = join(0);
    assert.equal(limiter.free, true);
    await Promise.all([pass(limiter), pass(limiter)]);
    assert.deepEqual([passed, timing.slept], [[0, 0], []]);
  });

  it("lets one pass each interval, in order, without saving up", async () => {
    const limiter = join(4);
    assert.equal(limiter.free, false);
    const all = Promise.all([pass(limiter), pass(limiter), pass(limiter)]);
    await timing.advance(10_000);
    await all;
    await Promise.all([pass(limiter), timing.advance(0)]);
    const next = pass(limiter);
    await timing.advance(250);
    await next;
    assert.deepEqual(passed, [0, 250, 500, 10_000, 10_250]);
  });

  it("keeps to the lowest rate of its users, and forgets it with them", async () => {
    const limiter = join(10);
    const slow = RateLimiter.join("https://a.test", 1, timing);
    const two = Promise.all([pass(limiter), pass(slow.limiter)]);
    await timing.advance(1_000);
    await two;
    slow.leave();
    slow.leave();
    const two2 = Promise.all([pass(limiter), pass(limiter)]);
    await timing.advance(2_000);
    await two2;
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
    assert.deepEqual(
      passed.slice(1).map((at) => at >= 3_100),
      [true, true],
    );
    assert.equal((passed[2] as number) - (passed[1] as number) >= 500, true);
  });

  it("is free again after a back-off without a rate", async () => {
    const limiter = join(0);
    limiter.backOff(500);
    assert.equal(limiter.free, false);
    const waiting = pass(limiter);
    await timing.advance(500);
    await waiting;
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
    const limiter = RateLimiter.join("https://early.test", 1, {
      now: early.now,
      random: early.random,
      elapsed: early.elapsed,
      sleep: async (ms) => {
        sleeps++;
        await early.advance(sleeps === 1 ? ms / 2 : ms);
      },
    });
    joined.push(limiter);
    await limiter.limiter.turn(new CancelSignal());
    await limiter.limiter.turn(new CancelSignal());
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
