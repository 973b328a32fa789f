import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { RawPost } from "../../../support/http/raw-post";
import {
  deliveryReport,
  inboundMessage,
  inboundSms,
  statusMessage,
} from "../../../support/http/webhook-events";
import { ACK, ACKNOWLEDGED, PATH, post, type ReceivedMessage, useWebhook } from "./webhook-flow";

const FLOW_DECIDES = { webhook: { acknowledge: "flow", ackTimeout: 60 }, ack: {} };

describe("redelivered events", () => {
  const webhook = useWebhook();
  const { start } = webhook;
  const decide = (msg: NodeMessage | undefined): void => webhook.flow.node(ACK).receive(msg);

  const possible = (): boolean[] =>
    (webhook.flow.all.messages as ReceivedMessage[]).map(({ event }) => event.possibleDuplicate);

  it("run the flow once for each event with an id", async () => {
    for (const [kind, event] of [
      ["status", statusMessage()],
      ["status", deliveryReport()],
      ["inbound", inboundSms()],
    ] as const) {
      const { url, all, stop } = await start({ webhook: { kind } });
      for (let each = 0; each < 3; each++) {
        assert.deepEqual(await post(url + PATH, event), ACKNOWLEDGED);
      }
      // Another event after it shows that nothing else was on its way.
      await post(url + PATH, { ...event, notificationId: "another", clientMessageId: "another" });
      await all.until(2);
      assert.equal(all.messages.length, 2);
      await stop();
    }
  });

  it("know a report by its id though its text changed, and by its text where it has no id", async () => {
    const { url, all } = await start({ webhook: { kind: "status" } });
    await post(url + PATH, deliveryReport());
    await post(url + PATH, deliveryReport({ sentOn: "2026-01-15T20:33:09.000+02:00" }));
    const { notificationId: _none, ...nameless } = deliveryReport();
    await post(url + PATH, nameless);
    await post(url + PATH, nameless);
    await post(url + PATH, { ...nameless, senderAddress: "41790000002" });
    await all.until(3);
    assert.equal(all.messages.length, 3);
  });

  it("run the flow each time for equal texts of two people, and of one person", async () => {
    const { url, all } = await start();
    for (const sender of ["+41790000001", "+41790000002", "+41790000001"]) {
      assert.deepEqual(await post(url + PATH, inboundMessage({ sender })), ACKNOWLEDGED);
    }
    await all.until(3);
    assert.deepEqual(possible(), [false, false, true]);
  });

  it("run the flow once for an inbound message whose connection was cut before the answer", async () => {
    const { url, all } = await start(FLOW_DECIDES);
    const first = await RawPost.send(url + PATH, inboundMessage());
    const [msg] = await all.until(1);
    await webhook.flow.seeCut(first);
    decide(msg);
    // Its redelivery is known; the one after that is a new message.
    assert.deepEqual(await post(url + PATH, inboundMessage()), ACKNOWLEDGED);
    assert.equal(all.messages.length, 1);
    const next = post(url + PATH, inboundMessage());
    decide((await all.until(2))[1]);
    assert.deepEqual(await next, ACKNOWLEDGED);
  });

  it("share the answer of an inbound message that the flow still works on, once its connection is cut", async () => {
    const { url, all } = await start(FLOW_DECIDES);
    const first = await RawPost.send(url + PATH, inboundMessage());
    const [msg] = await all.until(1);
    await webhook.flow.seeCut(first);
    const again = post(url + PATH, inboundMessage());
    await webhook.flow.untilBadge(/1 already received/);
    decide(msg);
    assert.deepEqual(await again, ACKNOWLEDGED);
    assert.equal(all.messages.length, 1);
    // The cut was used up.
    const next = post(url + PATH, inboundMessage());
    decide((await all.until(2))[1]);
    assert.deepEqual(await next, ACKNOWLEDGED);
  });

  it("share the answer of a status message that the flow still works on", async () => {
    const { url, all } = await start({
      ...FLOW_DECIDES,
      webhook: { ...FLOW_DECIDES.webhook, kind: "status" },
    });
    const answers = [1, 2, 3].map(() => post(url + PATH, statusMessage()));
    const [msg] = await all.until(1);
    await webhook.flow.untilBadge(/2 already received/);
    decide(msg);
    assert.deepEqual(await Promise.all(answers), [ACKNOWLEDGED, ACKNOWLEDGED, ACKNOWLEDGED]);
    assert.equal(all.messages.length, 1);
  });

  it("are still known after a redeploy", async () => {
    const { url } = await start({ webhook: { kind: "status" } });
    assert.deepEqual(await post(url + PATH, statusMessage()), ACKNOWLEDGED);
    await webhook.flow.redeploy((node) => ({ ...node }), "full");
    let again = 0;
    webhook.flow.node("port0").on("input", () => again++);
    assert.deepEqual(await post(url + PATH, statusMessage()), ACKNOWLEDGED);
    assert.deepEqual(await post(url + PATH, statusMessage({ transferId: "another" })), ACKNOWLEDGED);
    assert.equal(again, 1);
  });

  for (const [kind, event] of [
    ["status", statusMessage()],
    ["inbound", inboundMessage()],
  ] as const) {
    it(`run the flow again after a 503 (${kind}), with a hint`, async () => {
      const { url, all } = await start({
        webhook: { acknowledge: "flow", ackTimeout: 60, kind },
        ack: { answer: "error" },
      });
      const first = post(url + PATH, event);
      decide({ ...(await all.until(1))[0], error: { message: "disk full" } });
      assert.equal((await first).status, 503);
      const second = post(url + PATH, event);
      decide((await all.until(2))[1]);
      assert.deepEqual(await second, ACKNOWLEDGED);
      assert.deepEqual(possible(), [false, true]);
    });
  }
});
