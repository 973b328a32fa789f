import assert from "node:assert/strict";
import { retryDelay } from "../../../../lib/gateway/queue/retry-policy";

const ATTEMPTS = 5;
const ALMOST_ONE = 1 - Number.EPSILON;
/** Certainly not sent, and may succeed soon. Which codes and faults that is, the tables say. */
const BUSY = { outcome: "retry-later", retry: "back-off", attempts: 1, retryAfter: null } as const;

describe("gateway retry policy", () => {
  it("repeats until the attempts are used up, after a longer pause each time, with full jitter", () => {
    for (const [attempts, ceiling] of [500, 1_000, 2_000, 4_000].entries()) {
      const tried = { ...BUSY, attempts: attempts + 1 };
      const delays = [0, 0.25, 0.5, 0.75].map((random) => retryDelay(tried, ATTEMPTS, random));
      assert.deepEqual(delays, [0, ceiling / 4, ceiling / 2, (3 * ceiling) / 4]);
    }
    for (const attempts of [ATTEMPTS, ATTEMPTS + 1]) {
      assert.equal(retryDelay({ ...BUSY, attempts }, ATTEMPTS, 0), null);
    }
    const late = retryDelay({ ...BUSY, attempts: 19 }, 20, ALMOST_ONE) ?? 0;
    assert.ok(late < 30_000 && late > 29_000, `${late}`);
  });

  it("repeats nothing else, with any outcome, retry column and Retry-After", () => {
    for (const outcome of ["sent", "queued", "rejected", "denied", "unknown", "retry-later"] as const) {
      for (const retry of ["never", "reads", "back-off"] as const) {
        for (const retryAfter of [null, 0, 1_000]) {
          const wanted = outcome === "retry-later" && retry === "back-off" ? (retryAfter ?? 0) : null;
          assert.equal(retryDelay({ outcome, retry, attempts: 1, retryAfter }, ATTEMPTS, 0), wanted);
        }
      }
    }
  });

  it("waits at least as long as asked, with jitter on top, and not at all where that is too long", () => {
    for (const retryAfter of [0, 1, 7_000, 60_000]) {
      assert.equal(retryDelay({ ...BUSY, retryAfter }, ATTEMPTS, 0), retryAfter);
      assert.equal(retryDelay({ ...BUSY, retryAfter }, ATTEMPTS, 0.5), retryAfter + 250);
    }
    for (const retryAfter of [60_001, 1e12, Number.POSITIVE_INFINITY]) {
      assert.equal(retryDelay({ ...BUSY, retryAfter }, ATTEMPTS, 0), null);
    }
  });
});
