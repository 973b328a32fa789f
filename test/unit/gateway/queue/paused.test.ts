import assert from "node:assert/strict";
import { sms, whatsapp } from "../../../support/gateway/gateway-settings";
import { brief, isToken, TOKEN, useGateway } from "../../../support/gateway/use-gateway";
import { waitFor } from "../../../support/wait-for";
import { useQueue } from "./queue-fixture";

describe("gateway dispatcher: paused", () => {
  const { dispatchHeld } = useGateway();

  it("cancels requests without a store that have not started", async () => {
    const { server, held, answerAt, dispatcher, queue } = await dispatchHeld({ connections: 1 });
    const all = ["a", "b"].map((text) => queue.submit(sms(text)));
    await waitFor("the first request", () => held.length === 1);
    dispatcher.paused = true;
    await answerAt(0);
    assert.deepEqual((await Promise.all(all)).map(brief), ["sent OK", "retry-later CANCELLED"]);
    assert.equal(server.requests.length, 1);
  });

  it("requeues a stored request that waits for an access token", async () => {
    const { server, held, answerAt, dispatcher } = await dispatchHeld();
    const ends: string[] = [];
    const handle = dispatcher.openForStore(() => {});
    handle.start(
      handle.prepare(whatsapp()),
      {
        mayLeave: () => true,
        holdsLease: () => true,
        onVerdict: (verdict) => void ends.push(brief(verdict)),
        putBack: (delay) => void ends.push(`back ${delay}`),
      },
      0,
    );
    await waitFor("the request for a token", () => held.length === 1);
    dispatcher.paused = true;
    await answerAt(0, TOKEN);
    await waitFor("its end", () => ends.length === 1);
    assert.deepEqual(ends, ["back 0"]);
    assert.deepEqual(server.requests.map(isToken), [true]);
  });
});

describe("durable queue: paused", () => {
  const fixture = useQueue();

  it("claims nothing and takes nothing at once until messages may leave", async () => {
    const { open, take, rows, engine } = fixture();
    const opened = open();
    await waitFor("a queue that has nothing to claim", () => opened.queue.mayAcceptSending("sms-json"));
    opened.dispatcher.paused = true;
    assert.equal(opened.queue.mayAcceptSending("sms-json"), false);
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
