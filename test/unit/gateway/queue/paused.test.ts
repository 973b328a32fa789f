import assert from "node:assert/strict";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import { sms, whatsapp } from "../../../support/gateway/gateway-settings";
import { brief, isToken, type TestHandle, TOKEN, useGateway } from "../../../support/gateway/use-gateway";
import { answer, type FaultServer } from "../../../support/http/fault-server";
import { waitFor } from "../../../support/wait-for";
import { useQueue } from "./queue-fixture";

const textsAt = ({ requests }: FaultServer): (string | undefined)[] =>
  requests.map(({ body }) => body.toString().split("messageContent=")[1]);
const submitAll = (queue: TestHandle, ...texts: readonly string[]): Promise<Verdict>[] =>
  texts.map((text) => queue.submit(sms(text)));

describe("gateway dispatcher: paused", () => {
  const { dispatchHeld } = useGateway();

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

  it("sends nothing that waited for an access token meanwhile", async () => {
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
