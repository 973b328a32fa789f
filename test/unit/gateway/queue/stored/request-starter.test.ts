import assert from "node:assert/strict";
import type { StoredWaiter } from "../../../../../lib/gateway/queue/queue-handle";
import { SignInGate } from "../../../../../lib/gateway/queue/sign-in-gate";
import { RequestStarter } from "../../../../../lib/gateway/queue/stored/request-starter";
import type { QueueCore } from "../../../../../lib/gateway/queue/stored/stored-messages";
import type { ClaimedRequest } from "../../../../../lib/store/jobs/request-claims";

const REQUEST = { id: 7, operation: "sms-form", attempts: 0, rules: { once: false } } as ClaimedRequest;
const ANY_TIME = Number.POSITIVE_INFINITY;

/**
 * Starts a request that may leave until `latest`.
 * @param idle connections that are free
 */
function start(idle: number, latest: number, alive = true) {
  const started: StoredWaiter[] = [];
  const delays: number[] = [];
  const core = {
    dispatcher: {
      workers: { idle },
      start: (_prepared: unknown, waiter: StoredWaiter) => void started.push(waiter),
    },
    contents: {
      open: (request: ClaimedRequest) => request,
      prepare: () => ({}),
      isTest: () => false,
    },
    rules: { hold: () => [], guard: () => ({ limits: null }) },
    place: { instances: { mayLeave: alive } },
    signIns: new SignInGate(),
  } as unknown as QueueCore;
  const putBack = {
    claimed: () => {},
    put: (_request: ClaimedRequest, delay: number) => void delays.push(delay),
  };
  new RequestStarter(core, putBack as never, null as never, null as never, () => {}).start(REQUEST, latest);
  const [waiter] = started;
  return { waiter, delays };
}

/** Whether what was started may leave so many ms from now. */
function mayLeaveIn(ms: number, { waiter }: ReturnType<typeof start>): boolean | undefined {
  const { now } = performance;
  performance.now = () => now.call(performance) + ms;
  try {
    return waiter?.mayLeave();
  } finally {
    performance.now = now;
  }
}

describe("the start of a claimed request", () => {
  it("leaves it no time to wait for a connection in which somebody opts out, and all time where one is free", () => {
    const waiting = start(0, ANY_TIME);
    assert.deepEqual(
      [100, 1_100].map((ms) => mayLeaveIn(ms, waiting)),
      [true, false],
    );
    assert.equal(mayLeaveIn(600_000, start(1, ANY_TIME)), true);
    assert.equal(mayLeaveIn(100, start(0, performance.now() + 50)), false);
  });

  it("lets it leave until its turn is over, and only while the process may send", () => {
    assert.equal(start(1, performance.now() + 1_000).waiter?.mayLeave(), true);
    assert.equal(
      start(1, performance.now() - 1).waiter?.mayLeave(),
      false,
      "it has waited for a token too long",
    );
    assert.equal(start(1, ANY_TIME, false).waiter?.mayLeave(), false);
  });

  it("puts it back at once where only its turn is over, and after a pause where the process may not send", () => {
    for (const [alive, delay] of [
      [true, 0],
      [false, 1_000],
    ] as const) {
      const late = start(1, performance.now() - 1, alive);
      late.waiter?.putBack(0, 2);
      assert.deepEqual(late.delays, [delay]);
    }
  });
});
