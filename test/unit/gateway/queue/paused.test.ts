import assert from "node:assert/strict";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import { sms, UUID, whatsapp } from "../../../support/gateway/gateway-settings";
import {
  brief,
  isToken,
  openHandle,
  type TestHandle,
  TOKEN,
  useGateway,
  withTokens,
} from "../../../support/gateway/use-gateway";
import { answer, type FaultServer } from "../../../support/http/fault-server";
import { VirtualTiming } from "../../../support/virtual-timing";
import { waitFor } from "../../../support/wait-for";
import { useQueue } from "./queue-fixture";

const textsAt = ({ requests }: FaultServer): (string | undefined)[] =>
  requests.map(({ body }) => body.toString().split("messageContent=")[1]);
const submitAll = (queue: TestHandle, ...texts: readonly string[]): Promise<Verdict>[] =>
  texts.map((text) => queue.submit(sms(text)));

describe("gateway dispatcher: paused", () => {
  const { serve, dispatch, dispatchTo, dispatchHeld } = useGateway();

  it("lets what is at the service be answered, keeps the rest, and sends it in its order afterwards", async () => {
    const { server, held, answerAt, dispatcher, queue } = await dispatchHeld({ connections: 1 });
    const all = submitAll(queue, "a", "b", "c");
    await waitFor("the first request", () => held.length === 1);
    dispatcher.paused = true;
    all.push(...submitAll(queue, "d"));
    await answerAt(0);
    assert.equal(brief(await all[0]!), "sent OK");
    assert.deepEqual(dispatcher.load, { waiting: 3, underWay: 0 });
    assert.equal(dispatcher.paused, true);
    dispatcher.paused = false;
    for (const at of [1, 2, 3]) {
      await answerAt(at);
    }
    assert.deepEqual(
      (await Promise.all(all)).map(brief),
      Array.from({ length: 4 }, () => "sent OK"),
    );
    assert.deepEqual(textsAt(server), ["a", "b", "c", "d"]);
    assert.deepEqual(dispatcher.load, { waiting: 0, underWay: 0 });
  });

  it("lets requests without recipients pass", async () => {
    const { dispatcher, queue } = await dispatchTo(withTokens(answer(404, "")));
    dispatcher.paused = true;
    const { httpStatus } = await queue.submit({ operation: "media-download", fields: { mediaId: UUID } });
    assert.equal(httpStatus, 404);
  });

  it("sends nothing that waited for an access token meanwhile, nor for its turn", async () => {
    const { server, held, answerAt, dispatcher, queue } = await dispatchHeld();
    const submitted = queue.submit(whatsapp());
    await waitFor("the request for a token", () => held.length === 1);
    assert.ok(isToken(server.requests[0]!));
    dispatcher.paused = true;
    await answerAt(0, TOKEN);
    await waitFor("the message to wait", () => dispatcher.load.waiting === 1);
    assert.equal(server.requests.length, 1);
    dispatcher.paused = false;
    await answerAt(1, answer(200, '{"status":"OK","statusCode":2000}'));
    await submitted;
    assert.equal(server.requests.length, 2);

    const timing = new VirtualTiming();
    const open = await serve();
    const limited = dispatch(open.url, { requestsPerSecond: 1 }, timing);
    const [first, second] = submitAll(limited.queue, "a", "b");
    await first;
    limited.dispatcher.paused = true;
    await timing.advance(1_000);
    assert.deepEqual(limited.dispatcher.load, { waiting: 1, underWay: 0 });
    assert.deepEqual(textsAt(open), ["a"]);
    limited.dispatcher.paused = false;
    await timing.advance(1_000);
    assert.equal(brief((await second)!), "sent OK");
  });

  it("keeps the attempts of a request that was refused", async () => {
    const timing = new VirtualTiming();
    const replies = [answer(200, "statusCode=5003"), answer(200, "statusCode=2000&transferId=t-1")];
    const { server, dispatcher, queue } = await dispatchTo(
      (socket) => socket.write(replies.shift()!),
      {},
      timing,
    );
    const submitted = queue.submit(sms());
    await waitFor("the pause", () => timing.sleeping === 1);
    dispatcher.paused = true;
    await timing.advance(60_000);
    assert.equal(server.requests.length, 1);
    dispatcher.paused = false;
    const verdict = await submitted;
    assert.deepEqual([brief(verdict), verdict.attempts], ["sent OK", 2]);
  });

  it("leaves messages unread above its reading ahead, and counts them as full", async () => {
    const { dispatcher, queue } = await dispatchTo(null, { connections: 2, queueLimit: 30 });
    dispatcher.paused = true;
    const verdicts: Promise<Verdict>[] = [];
    const read = (at: number) => () => void verdicts.push(...submitAll(queue, `m${at}`));
    let unread = 0;
    for (let at = 0; at < 40; at++) {
      if (queue.isBacklogged()) {
        unread++;
        queue.defer(read(at));
      } else {
        read(at)();
      }
    }
    assert.deepEqual([verdicts.length, unread, dispatcher.load.waiting], [24, 16, 32]);
    dispatcher.paused = false;
    await waitFor("every message to be read", () => verdicts.length === 40);
    const all = (await Promise.all(verdicts)).map(brief);
    assert.deepEqual(
      ["sent OK", "retry-later QUEUE_FULL"].map((each) => all.filter((one) => one === each).length),
      [32, 8],
    );
  });

  it("gives back what waits when its node closes, and keeps nothing of it", async () => {
    const { server, dispatcher, queue } = await dispatchTo();
    dispatcher.paused = true;
    const all = submitAll(queue, ...Array.from({ length: 16 }, (_none, at) => `m${at}`));
    const next = openHandle(dispatcher);
    assert.equal(next.isBacklogged(), true);
    await queue.close(5_000);
    const verdicts = (await Promise.all(all)).map(brief);
    assert.deepEqual([...new Set(verdicts)], ["retry-later CLOSING"]);
    assert.equal(next.isBacklogged(), false);
    const again = next.submit(sms("c"));
    assert.deepEqual(dispatcher.load, { waiting: 1, underWay: 0 });
    dispatcher.paused = false;
    assert.equal(brief(await again), "sent OK");
    assert.deepEqual(textsAt(server), ["c"]);
  });
});

describe("durable queue: paused", () => {
  const fixture = useQueue();

  it("claims nothing and takes nothing at once until messages may leave", async () => {
    const { open, take, rows, engine } = fixture();
    const opened = open();
    await waitFor("a queue that has nothing to claim", () => opened.queue.mayAcceptSending);
    opened.dispatcher.paused = true;
    assert.equal(opened.queue.mayAcceptSending, false);
    await take("a", "b");
    const before = engine.ran.length;
    opened.queue.wake();
    opened.dispatcher.onIdle();
    assert.deepEqual(await rows(), ["a queued", "b queued"]);
    assert.ok(!engine.ran.slice(before).includes("requests_claim"));
    assert.deepEqual(opened.dispatcher.started, []);
    opened.dispatcher.paused = false;
    opened.dispatcher.onIdle();
    await waitFor("both", () => opened.dispatcher.started.length === 2);
  });
});
