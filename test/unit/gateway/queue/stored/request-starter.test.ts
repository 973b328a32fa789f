import assert from "node:assert/strict";
import { type Verdict, localVerdict } from "../../../../../lib/gateway/codec/verdict";
import type { StoredWaiter } from "../../../../../lib/gateway/queue/queue-handle";
import { RequestStarter, type StarterParts } from "../../../../../lib/gateway/queue/stored/request-starter";
import type { QueueParts } from "../../../../../lib/gateway/queue/stored/stored-messages";
import { FieldError } from "../../../../../lib/shared/messaging-error";
import type { ClaimedRequest } from "../../../../../lib/store/request-claims";

const REQUEST = { id: 7, operation: "sms-form", attempts: 0, rules: { once: false } } as ClaimedRequest;
const SENT: Verdict = { ...localVerdict("INTERNAL_FAULT", ""), outcome: "sent" };

/** @param idle connections that are free @param fault of the message, which is never sent then */
function starter(idle: number, fault: FieldError | null = null) {
  const started: StoredWaiter[] = [];
  let [answers, written] = [0, 0];
  const queue = {
    contents: {
      open: (request: ClaimedRequest) => request,
      prepare: () => {
        if (fault !== null) throw fault;
        return {};
      },
      isTest: () => false,
    },
    rules: { hold: () => [], guard: () => ({ limits: null }) },
    place: { instances: { mayLeave: true } },
  } as unknown as QueueParts;
  const parts = {
    lane: { idle, start: (_prepared: unknown, waiter: StoredWaiter) => void started.push(waiter) },
    writer: { add: () => void written++ },
    putBack: { hold: () => {}, put: () => {} },
    onAnswer: () => void answers++,
    freed: () => {},
  } as unknown as StarterParts;
  const starts = new RequestStarter(queue, parts);
  return {
    start: (latest: number) => starts.start(REQUEST, latest),
    started,
    counts: () => ({ answers, written }),
  };
}

/** Whether what was started may leave so many ms from now. */
function mayLeaveIn(ms: number, [waiter]: readonly StoredWaiter[]): boolean | undefined {
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
    const waiting = starter(0);
    waiting.start(Number.POSITIVE_INFINITY);
    assert.deepEqual(
      [100, 1_100].map((ms) => mayLeaveIn(ms, waiting.started)),
      [true, false],
    );
    const free = starter(1);
    free.start(Number.POSITIVE_INFINITY);
    assert.equal(mayLeaveIn(600_000, free.started), true);
    const inTurn = starter(0);
    inTurn.start(performance.now() + 50);
    assert.equal(mayLeaveIn(100, inTurn.started), false);
  });

  it("counts what the service answers, and nothing that was never sent", () => {
    const wrong = starter(1, new FieldError("FIELD_INVALID", "textMessage", "nothing to say"));
    wrong.start(Number.POSITIVE_INFINITY);
    assert.deepEqual(wrong.counts(), { answers: 0, written: 1 });
    const sent = starter(1);
    sent.start(Number.POSITIVE_INFINITY);
    sent.started[0]?.onVerdict(SENT);
    assert.deepEqual(sent.counts(), { answers: 1, written: 1 });
  });
});
