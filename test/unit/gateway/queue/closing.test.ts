import assert from "node:assert/strict";
import { REAL_TIMING } from "../../../../lib/gateway/http/timing";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import { sms } from "../../../support/gateway/gateway-settings";
import { brief, openHandle, type TestHandle, useGateway } from "../../../support/gateway/use-gateway";
import { answer } from "../../../support/http/fault-server";
import { VirtualTiming } from "../../../support/virtual-timing";
import { waitFor } from "../../../support/wait-for";

const NOT_SENT = "retry-later CLOSING";
const GIVEN_UP = "unknown STOPPED_WAITING";

const briefs = async (submitted: readonly Promise<Verdict>[]): Promise<string[]> =>
  (await Promise.all(submitted)).map(brief);

describe("gateway dispatcher: closing", () => {
  const { serve, dispatch, dispatchTo, dispatchHeld } = useGateway();

  it("lets what is at the service be answered, and sends nothing of what waits", async () => {
    const { server, held, answerAt, queue } = await dispatchHeld({ connections: 2 });
    const all = ["a", "b", "c", "d"].map((text) => queue.submit(sms(text)));
    await waitFor("two requests", () => held.length === 2);
    const closing = queue.close(5_000);
    assert.deepEqual(await briefs(all.slice(2)), [NOT_SENT, NOT_SENT]);
    await answerAt(0);
    await answerAt(1);
    assert.deepEqual(await briefs(all.slice(0, 2)), ["sent OK", "sent OK"]);
    await closing;
    assert.equal(server.heads.length, 2);
  });

  it("gives up on the answer after the grace, and not before", async () => {
    const timing = new VirtualTiming();
    const { server, held, queue } = await dispatchHeld({}, timing);
    const submitted = queue.submit(sms());
    await waitFor("the request", () => held.length === 1);
    let over: Verdict | null = null;
    void submitted.then((verdict) => {
      over = verdict;
    });
    const closing = queue.close(10_000);
    await timing.advance(9_999);
    assert.equal(over, null);
    await timing.advance(1);
    assert.equal(brief(await submitted), GIVEN_UP);
    await closing;
    assert.equal(server.requests.length, 1);
  });

  it("of one queue leaves another's messages alone", async () => {
    // Far longer than this test: the connection must come free by the closing.
    const settings = { connections: 1, answerTimeout: 60_000 };
    const { server, held, answerAt, dispatcher, queue } = await dispatchHeld(settings);
    const other = openHandle(dispatcher);
    const mine = [queue.submit(sms("a")), queue.submit(sms("b"))];
    const theirs = [other.submit(sms("c")), other.submit(sms("d"))];
    await waitFor("the first", () => held.length === 1);
    await queue.close(0);
    assert.deepEqual(await briefs(mine), [GIVEN_UP, NOT_SENT]);
    await answerAt(1);
    await answerAt(2);
    assert.deepEqual(await briefs(theirs), ["sent OK", "sent OK"]);
    assert.equal(server.requests.length, 3);
  });

  for (const [when, settings, first, attempts] of [
    ["during a pause before the next try", {}, [], 1],
    ["while waiting for its turn", { requestsPerSecond: 1 }, ["sent OK"], 0],
  ] as const) {
    it(when, async () => {
      const timing = new VirtualTiming();
      const { server, dispatcher, queue } = await dispatchTo(
        first.length === 0 ? answer(200, "statusCode=5003") : null,
        settings,
        timing,
      );
      assert.deepEqual(await briefs(first.map(() => queue.submit(sms()))), first);
      const submitted = queue.submit(sms());
      await waitFor("the pause", () => timing.sleeping === 1);
      await dispatcher.close(10_000);
      const verdict = await submitted;
      assert.deepEqual([brief(verdict), verdict.attempts], [NOT_SENT, attempts]);
      assert.deepEqual([server.requests.length, timing.sleeping], [1, 0]);
    });
  }

  it("at any moment around an answer never calls an answered request unsent", async () => {
    const server = await serve();
    const outcomes = new Set<string>();
    for (let depth = 0; depth < 40; depth++) {
      const handles: TestHandle[] = [];
      let armed = true;
      // Called when the answer is judged; from there so many turns of the promise queue to the closing.
      const now = (): number => {
        if (armed) {
          armed = false;
          let turns = Promise.resolve();
          for (let turn = 0; turn < depth; turn++) {
            turns = turns.then(() => {});
          }
          void turns.then(() => handles[0]?.close(0));
        }
        return 0;
      };
      const { dispatcher, queue } = dispatch(server.url, {}, { ...REAL_TIMING, now });
      handles.push(queue);
      outcomes.add(brief(await queue.submit(sms())));
      assert.equal(server.requests.length, depth + 1);
      await dispatcher.close(0);
    }
    assert.deepEqual([...outcomes], ["sent OK"]);
  });
});
