import assert from "node:assert/strict";
import { type Verdict, localVerdict } from "../../../../../lib/gateway/codec/verdict";
import type { StoredWaiter } from "../../../../../lib/gateway/queue/queue-handle";
import { RequestStarter } from "../../../../../lib/gateway/queue/stored/request-starter";
import type { QueueCore } from "../../../../../lib/gateway/queue/stored/stored-messages";
import { FieldError } from "../../../../../lib/shared/messaging-error";
import type { ClaimedRequest } from "../../../../../lib/store/jobs/request-claims";

const REQUEST = { id: 7, operation: "sms-form", attempts: 0, rules: { once: false } } as ClaimedRequest;
const SENT: Verdict = { ...localVerdict("INTERNAL_FAULT", ""), outcome: "sent" };
const ANY_TIME = Number.POSITIVE_INFINITY;

/**
 * Starts a request that may leave until `latest`.
 * @param idle connections that are free
 * @param fault of the message, which is never sent then
 */
function start(
  idle: number,
  latest: number,
  { fault, alive = true }: { fault?: FieldError; alive?: boolean } = {},
) {
  const started: StoredWaiter[] = [];
  const delays: number[] = [];
  let [answers, written] = [0, 0];
  const core = {
    dispatcher: {
      workers: { idle },
      start: (_prepared: unknown, waiter: StoredWaiter) => void started.push(waiter),
    },
    contents: {
      open: (request: ClaimedRequest) => request,
      prepare: () => {
        if (fault !== undefined) throw fault;
        return {};
      },
      isTest: () => false,
    },
    rules: { hold: () => [], guard: () => ({ limits: null }) },
    place: { instances: { mayLeave: alive } },
    ahead: { answered: () => void answers++ },
  } as unknown as QueueCore;
  const putBack = {
    claimed: () => {},
    put: (_request: ClaimedRequest, delay: number) => void delays.push(delay),
  };
  const writer = { add: () => void written++ };
  new RequestStarter(core, putBack as never, null as never, writer as never, () => {}).start(REQUEST, latest);
  const [waiter] = started;
  return { waiter, delays, counts: () => ({ answers, written }) };
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
    assert.equal(start(1, ANY_TIME, { alive: false }).waiter?.mayLeave(), false);
  });

  it("puts it back at once where only its turn is over, and after a pause where the process may not send", () => {
    for (const [alive, delay] of [
      [true, 0],
      [false, 1_000],
    ] as const) {
      const late = start(1, performance.now() - 1, { alive });
      late.waiter?.putBack(0, 2);
      assert.deepEqual(late.delays, [delay]);
    }
  });

  it("counts what the service answers, and nothing that was never sent", () => {
    const wrong = start(1, ANY_TIME, {
      fault: new FieldError("FIELD_INVALID", "textMessage", "nothing to say"),
    });
    assert.deepEqual(wrong.counts(), { answers: 0, written: 1 });
    const sent = start(1, ANY_TIME);
    sent.waiter?.onVerdict(SENT);
    assert.deepEqual(sent.counts(), { answers: 1, written: 1 });
  });
});
