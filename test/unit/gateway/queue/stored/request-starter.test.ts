import assert from "node:assert/strict";
import type { StoredWaiter } from "../../../../../lib/gateway/queue/queue-handle";
import { SignInGate } from "../../../../../lib/gateway/queue/sign-in-gate";
import { RequestStarter } from "../../../../../lib/gateway/queue/stored/request-starter";
import type { QueueCore } from "../../../../../lib/gateway/queue/stored/stored-messages";
import type { ClaimedRequest } from "../../../../../lib/store/jobs/request-claims";

const REQUEST = { id: 7, operation: "sms-form", attempts: 0, rules: { once: false } } as ClaimedRequest;

/**
 * Starts a request.
 * @param idle connections that are free
 */
function start({ idle = 1, isAlive = true, departs = true } = {}) {
  const started: StoredWaiter[] = [];
  const delays: number[] = [];
  const core = {
    dispatcher: {
      workers: { idle },
      limiter: { depart: () => departs },
      start: (_prepared: unknown, waiter: StoredWaiter) => void started.push(waiter),
    },
    contents: {
      open: (request: ClaimedRequest) => request,
      prepare: () => ({}),
      isTest: () => false,
    },
    rules: { hold: () => [], guard: () => ({ limits: null }) },
    place: { instances: { mayLeave: isAlive } },
    signIns: new SignInGate(),
  } as unknown as QueueCore;
  const putBack = {
    claimed: () => {},
    put: (_request: ClaimedRequest, delay: number) => void delays.push(delay),
  };
  new RequestStarter(core, putBack as never, null as never, null as never, () => {}).start(REQUEST);
  const [waiter] = started;
  return { waiter, delays };
}

describe("the start of a claimed request", () => {
  it("requeues it when no connection is free, because somebody may opt out meanwhile", () => {
    const { waiter, delays } = start({ idle: 0 });
    assert.deepEqual([waiter, delays], [undefined, [0]]);
  });

  it("sends it only while it keeps to the rate and the process may send", () => {
    assert.equal(start().waiter?.holdsLease(), true);
    assert.equal(start({ departs: false }).waiter?.holdsLease(), false);
    assert.equal(start({ isAlive: false }).waiter?.holdsLease(), false);
    assert.equal(start({ isAlive: false }).waiter?.mayLeave(), false);
  });

  it("requeues it at once, and after a pause when the process may not send", () => {
    for (const [isAlive, delay] of [
      [true, 0],
      [false, 1_000],
    ] as const) {
      const { waiter, delays } = start({ isAlive });
      waiter?.putBack(0, 2);
      assert.deepEqual(delays, [delay]);
    }
  });
});
