import assert from "node:assert/strict";
import { LeavingRequest } from "../../../../../lib/gateway/queue/stored/leaving-request";
import type { Instances } from "../../../../../lib/store/instances";
import type { ClaimedRequest } from "../../../../../lib/store/request-claims";

const REQUEST = { id: 7, attempts: 2 } as ClaimedRequest;

/** A request whose turn is over at a moment, in a process that is known to be alive or is not. */
function leave(latest: number, alive = true) {
  const delays: number[] = [];
  const leaving = new LeavingRequest(
    {
      onVerdict: () => assert.fail("it was not sent"),
      putBack: (_request, delay) => void delays.push(delay),
      ended: () => {},
    },
    { mayLeave: alive } as Instances,
    REQUEST,
    latest,
  );
  return { leaving, delays };
}

describe("a request that leaves", () => {
  it("may leave until its turn is over, and always where it needs none", () => {
    assert.equal(leave(performance.now() + 1_000).leaving.mayLeave(), true);
    assert.equal(
      leave(performance.now() - 1).leaving.mayLeave(),
      false,
      "it has waited for a token too long",
    );
    assert.equal(leave(Number.POSITIVE_INFINITY).leaving.mayLeave(), true);
    assert.equal(leave(Number.POSITIVE_INFINITY, false).leaving.mayLeave(), false);
  });

  it("goes back at once where only its turn is over, and after a pause where the process may not send", () => {
    const late = leave(performance.now() - 1);
    late.leaving.putBack(0, 2);
    assert.deepEqual(late.delays, [0]);
    const dead = leave(Number.POSITIVE_INFINITY, false);
    dead.leaving.putBack(0, 2);
    assert.deepEqual(dead.delays, [1_000]);
  });
});
