import assert from "node:assert/strict";
import { localVerdict, type Verdict } from "../../../../lib/gateway/codec/verdict";
import type { Batch, LeaveDecision, QueueHandle } from "../../../../lib/gateway/queue/dispatcher";
import { sms, whatsapp } from "../../../support/gateway/gateway-settings";
import { brief, isToken, TOKEN, useGateway } from "../../../support/gateway/use-gateway";
import { answer } from "../../../support/http/fault-server";
import { VirtualTiming } from "../../../support/virtual-timing";
import { waitFor } from "../../../support/wait-for";

const HELD: LeaveDecision = { kind: "ends", verdict: localVerdict("OPTED_OUT") };
const HOUR = 3_600_000;

const waitUntil =
  (until: number) =>
  (now: number): LeaveDecision | null =>
    now < until ? { kind: "waits", until } : null;

/** A waiter whose answers a test decides. */
class Guarded {
  verdict: Verdict | null = null;
  asked = 0;
  constructor(readonly decide: (now: number, asked: number) => LeaveDecision | null) {}
  leaves(now: number): LeaveDecision | null {
    return this.decide(now, ++this.asked);
  }
  onVerdict(verdict: Verdict): void {
    assert.equal(this.verdict, null, "one verdict each");
    this.verdict = verdict;
  }
  get brief(): string {
    return this.verdict === null ? "open" : brief(this.verdict);
  }
}

describe("batches that are asked whether they leave", () => {
  const { serve, serveHeld, dispatch, dispatchTo, dispatchHeld } = useGateway();

  const submit = (
    queue: QueueHandle,
    decide: (now: number, asked: number) => LeaveDecision | null,
    batch: Batch = sms(),
  ): Guarded => {
    const waiter = new Guarded(decide);
    queue.submitWithCallback(batch, waiter);
    return waiter;
  };
  const ended = (waiter: Guarded): Promise<unknown> => waitFor("its verdict", () => waiter.verdict !== null);

  it("leave, once", async () => {
    const server = await serve();
    const waiter = submit(dispatch(server.url).queue, () => null);
    await ended(waiter);
    assert.deepEqual([waiter.brief, waiter.asked, server.requests.length], ["sent OK", 1, 1]);
  });

  it("get the verdict that is decided when they would leave, not when they are submitted", async () => {
    const { server, answerAt, queue } = await dispatchHeld({ connections: 1 });
    const first = submit(queue, () => null);
    let held: LeaveDecision | null = null;
    const second = submit(queue, () => held);
    const third = submit(queue, () => null);
    held = HELD;
    await answerAt(0);
    await answerAt(1);
    await ended(third);
    assert.deepEqual([first.brief, second.brief, third.brief], ["sent OK", "rejected OPTED_OUT", "sent OK"]);
    assert.equal(second.verdict?.attempts, 0);
    assert.equal(server.requests.length, 2);
  });

  it("leave with another request", async () => {
    const { server, queue, dispatcher } = await dispatchTo();
    const request = dispatcher.prepare(sms("fewer"));
    await ended(submit(queue, () => ({ kind: "changes", request }), sms("all")));
    assert.deepEqual(
      server.requests.map(({ body }) => body.toString().includes("messageContent=fewer")),
      [true],
    );
  });

  it("are asked again before each retry, and wait there for their moment", async () => {
    let replies = 0;
    const server = await serve((socket) =>
      socket.write(answer(200, ++replies === 1 ? "statusCode=5003" : "statusCode=2000&transferId=t")),
    );
    const timing = new VirtualTiming();
    timing.nextRandom = 0.5;
    const until = timing.now() + HOUR;
    const { queue } = dispatch(server.url, {}, timing);
    const waiter = submit(queue, (now, asked) =>
      asked > 1 && now < until ? { kind: "waits", until } : null,
    );
    await waitFor("the pause of the retry", () => timing.sleeping === 1);
    await timing.advance(HOUR - 1);
    assert.equal(replies, 1);
    assert.equal(waiter.asked, 2);
    await timing.advance(1);
    await ended(waiter);
    assert.deepEqual([waiter.brief, waiter.verdict?.attempts, replies], ["sent OK", 2, 2]);
  });

  it("are asked once more where they had to wait for a turn at the rate", async () => {
    const server = await serve();
    const timing = new VirtualTiming();
    const { queue } = dispatch(server.url, { requestsPerSecond: 1 }, timing);
    const first = submit(queue, () => null);
    let held: LeaveDecision | null = null;
    const second = submit(queue, () => held);
    await ended(first);
    held = HELD;
    await timing.advance(1_000);
    await ended(second);
    assert.deepEqual([second.brief, server.requests.length], ["rejected OPTED_OUT", 1]);
  });

  it("are asked once more where they had to wait for a token, and may change or wait even then", async () => {
    const timing = new VirtualTiming();
    const until = timing.now() + HOUR;
    for (const [departure, expected, requests] of [
      [HELD, "rejected OPTED_OUT", 0],
      [{ kind: "waits", until }, "sent OK", 1],
    ] as const) {
      let giveToken = (): void => {};
      let changed = false;
      const server = await serve((socket, request) => {
        if (isToken(request) && !changed) {
          giveToken = () => socket.write(TOKEN);
        } else if (isToken(request)) {
          socket.write(TOKEN);
        } else {
          socket.write(answer(200, '{"statusCode":"2000","transferId":"t"}'));
        }
      });
      const { queue } = dispatch(server.url, {}, timing);
      const waiter = submit(
        queue,
        (now) => (changed && (departure === HELD || now < until) ? departure : null),
        whatsapp(),
      );
      await waitFor("the request for a token", () => server.requests.some(isToken));
      changed = true;
      giveToken();
      if (departure !== HELD) {
        await waitFor("the wait", () => timing.sleeping > 0);
        await timing.advance(HOUR);
      }
      await ended(waiter);
      assert.equal(waiter.brief, expected);
      assert.equal(server.requests.filter((request) => !isToken(request)).length, requests);
    }
  });

  it("hold their place in the queue while they wait for a moment, but no worker", async () => {
    const server = await serve();
    const timing = new VirtualTiming();
    const { queue, dispatcher } = dispatch(server.url, { connections: 1, queueLimit: 2 }, timing);
    const wait = waitUntil(timing.now() + HOUR);
    const waiting = [submit(queue, wait), submit(queue, wait)];
    const through = submit(queue, () => null);
    await ended(through);
    assert.equal(through.brief, "sent OK");
    assert.deepEqual(dispatcher.load, { waiting: 2, underWay: 0 });
    waiting.push(submit(queue, wait));
    const refused = submit(queue, wait);
    await ended(refused);
    assert.equal(refused.brief, "retry-later QUEUE_FULL");
    await timing.advance(HOUR);
    await waitFor("all", () => waiting.every(({ verdict }) => verdict !== null));
    assert.deepEqual(
      waiting.map((each) => each.brief),
      ["sent OK", "sent OK", "sent OK"],
    );
  });

  it("are CLOSING when their handle stops while they wait, and others wait on", async () => {
    const server = await serve();
    const timing = new VirtualTiming();
    const { queue, dispatcher } = dispatch(server.url, {}, timing);
    const other = dispatcher.openHandle();
    const wait = waitUntil(timing.now() + HOUR);
    const closed = submit(queue, wait);
    const kept = submit(other, wait);
    queue.stop();
    await ended(closed);
    assert.equal(closed.brief, "retry-later CLOSING");
    assert.equal(closed.verdict?.stopped, "unsent");
    await timing.advance(HOUR);
    await ended(kept);
    assert.deepEqual([kept.brief, server.requests.length, timing.sleeping], ["sent OK", 1, 0]);
  });

  it("leave no timer behind when the last handle stops", async () => {
    const server = await serve();
    const timing = new VirtualTiming();
    const { queue, dispatcher } = dispatch(server.url, {}, timing);
    const until = timing.now() + HOUR;
    const waiters = [queue, dispatcher.openHandle()].map((handle) =>
      submit(handle, () => ({ kind: "waits", until })),
    );
    await waitFor("the wait", () => timing.sleeping === 1);
    await dispatcher.close(0);
    await waitFor("the verdicts", () => waiters.every(({ verdict }) => verdict !== null));
    assert.equal(timing.sleeping, 0);
  });

  it("are cancelled unless they may be at the service, those of the handle only", async () => {
    const { server, answerAt } = await serveHeld();
    const timing = new VirtualTiming();
    const { queue, dispatcher } = dispatch(server.url, { connections: 1 }, timing);
    const other = dispatcher.openHandle();
    const wait = waitUntil(timing.now() + HOUR);
    const scheduled = submit(queue, wait);
    const ofAnother = submit(other, wait);
    const leaving = submit(queue, () => null);
    const queued = submit(queue, () => null);
    assert.equal(
      queue.cancel((waiter) => waiter === scheduled || waiter === leaving || waiter === queued),
      2,
    );
    await ended(scheduled);
    await ended(queued);
    await answerAt(0);
    await ended(leaving);
    assert.deepEqual(
      [scheduled.brief, queued.brief, leaving.brief, ofAnother.brief],
      ["retry-later CANCELLED", "retry-later CANCELLED", "sent OK", "open"],
    );
  });

  it("let the event loop run while 20,000 of them find that they have to wait once more", async () => {
    const server = await serve();
    const timing = new VirtualTiming();
    const { queue } = dispatch(server.url, { connections: 2, queueLimit: 50_000 }, timing);
    const until = timing.now() + HOUR;
    let looked = 0;
    const waiters = Array.from({ length: 20_000 }, () =>
      submit(queue, (now) => {
        looked++;
        return now < until ? { kind: "waits", until } : { kind: "waits", until: until + HOUR };
      }),
    );
    await timing.advance(HOUR - 1);
    assert.equal(looked, 20_000);
    let most = 0;
    let before = looked;
    let watching = true;
    const watch = (): void => {
      most = Math.max(most, looked - before);
      before = looked;
      if (watching) {
        setImmediate(watch);
      }
    };
    setImmediate(watch);
    await timing.advance(1);
    await waitFor("all to be looked at", () => looked === 40_000);
    watching = false;
    assert.ok(most <= 1_000, `${most} in one turn`);
    assert.ok(waiters.every(({ verdict }) => verdict === null));
  });
});
