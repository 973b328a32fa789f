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
  const { serve, dispatch, dispatchHeld } = useGateway();

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

  it("settles a message without a request when it is held back while it waits for a token", async () => {
    let giveToken = (): void => {};
    let held: LeaveDecision | null = null;
    const server = await serve((socket) => {
      giveToken = () => socket.write(TOKEN);
    });
    const { queue } = dispatch(server.url);
    const waiter = submit(queue, () => held, whatsapp());
    await waitFor("the request for a token", () => server.requests.some(isToken));
    held = HELD;
    giveToken();
    await ended(waiter);
    assert.equal(waiter.brief, "rejected OPTED_OUT");
    assert.deepEqual(server.requests.map(isToken), [true]);
  });
});
