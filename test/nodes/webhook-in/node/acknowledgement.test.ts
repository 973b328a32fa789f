// Slow: a time limit of one second, the shortest there is, passes for real.
import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { RawPost } from "../../../support/http/raw-post";
import { inboundMessage, statusMessage } from "../../../support/http/webhook-events";
import {
  ACK,
  ACKNOWLEDGED,
  PATH,
  post,
  type ReceivedMessage,
  useWebhook,
  type WebhookFlow,
  type WebhookFlowOptions,
} from "./webhook-flow";

const SECOND = "n-second-ack";

describe("webhook-ack", () => {
  const webhook = useWebhook();
  const start = (ack: object = {}, options: WebhookFlowOptions = {}): Promise<WebhookFlow> =>
    webhook.start({
      webhook: { acknowledge: "flow", ackTimeout: 60 },
      ack: { answer: "acknowledge", ...ack },
      ...options,
    });
  const send = (id: string, msg: NodeMessage | undefined): void => webhook.flow.node(id).receive(msg);

  it("acknowledges when the flow has done its work, and not before", async () => {
    const { url, all, completed } = await start();
    let answered = false;
    const answer = post(url + PATH, inboundMessage()).finally(() => {
      answered = true;
    });
    const [msg] = await all.until(1);
    // A call after it shows that no answer was on its way.
    await post(url, {});
    assert.equal(answered, false);
    send(ACK, msg);
    assert.deepEqual(await answer, ACKNOWLEDGED);
    await completed.until(1);
    await webhook.flow.untilBadge(/1 acknowledged/);
  });

  it("asks for redelivery of an event", async () => {
    const { url, all } = await start({ answer: "redeliver" });
    const answer = post(url + PATH, inboundMessage());
    send(ACK, (await all.until(1))[0]);
    const { status, body } = await answer;
    assert.equal(status, 503);
    assert.notEqual((body as { statusCode?: unknown }).statusCode, 2000);
  });

  it("recognises failures by msg.error where it is set to", async () => {
    const { url, all } = await start({ answer: "error" });
    const good = post(url + PATH, inboundMessage({ content: "good" }));
    send(ACK, (await all.until(1))[0]);
    assert.deepEqual(await good, ACKNOWLEDGED);
    const bad = post(url + PATH, inboundMessage({ content: "bad" }));
    send(ACK, { ...(await all.until(2))[1], error: { message: "no room", source: {} } });
    assert.equal((await bad).status, 503);
  });

  it("answers once for copies of a message, and for several nodes: the first counts", async () => {
    const { url, all, RED, untilBadge } = await start(
      {},
      { more: [{ id: SECOND, z: "tab", type: "messaging-webhook-ack", answer: "redeliver" }] },
    );
    const answer = post(url + PATH, inboundMessage());
    const [msg] = await all.until(1);
    send(ACK, RED.util.cloneMessage(msg!));
    send(SECOND, RED.util.cloneMessage(msg!));
    send(ACK, JSON.parse(JSON.stringify(msg)));
    assert.deepEqual(await answer, ACKNOWLEDGED);
    await untilBadge(/\d already answered/);
    assert.deepEqual(webhook.flow.caught.messages, []);
  });

  it("reports a decision after the time limit as late, and changes nothing", async () => {
    const { url, all, untilBadge } = await start({}, { webhook: { acknowledge: "flow", ackTimeout: 1 } });
    assert.equal((await post(url + PATH, inboundMessage())).status, 503);
    await untilBadge(/1 to be redelivered/);
    send(ACK, (await all.until(1))[0]);
    await untilBadge(/1 too late/);
    assert.deepEqual(webhook.flow.caught.messages, []);
  });

  it("acknowledges an unrecognised event on receipt, whatever the flow decides", async () => {
    const { url, ports, untilBadge } = await start({ answer: "redeliver" });
    const unknown = { messageType: "reaction", notificationId: "n-77" };
    assert.deepEqual(await post(url + PATH, unknown), ACKNOWLEDGED);
    const [msg] = (await ports.at(-1)!.until(1)) as ReceivedMessage[];
    const { kind } = msg!.event;
    assert.deepEqual([msg!.payload, kind, "ack" in msg!.event], [unknown, "unrecognised", false]);
    send(ACK, msg);
    await untilBadge(/\d already answered/);
  });

  it("raises an error for a message without its event", async () => {
    const { caught } = await start();
    send(ACK, { payload: 1, event: "click" } as NodeMessage);
    const [msg] = await caught.until(1);
    const { error } = msg as unknown as { error: { message: string } };
    assert.match(error.message, /msg\.event is missing.*Keep msg\.event/);
  });

  it("reports an event from before a restart as unknown", async () => {
    const { untilBadge, caught } = await start();
    send(ACK, { payload: 1, event: { kind: "inbound", key: "k", ack: "AAAAAAAAAAAAAAAAAAAAAA" } });
    await untilBadge(/1 for unknown events/);
    assert.deepEqual(caught.messages, []);
  });

  it("can no longer be awaited once it is gone: a closing webhook sends events back at once", async () => {
    const { url, all } = await start();
    const pending = post(url + PATH, statusMessage());
    await all.until(1);
    await webhook.flow.stop();
    assert.equal((await pending).status, 503);
  });

  it("keeps its event though the caller disconnects", async () => {
    const { url, all, untilBadge } = await start();
    const caller = await RawPost.send(url + PATH, inboundMessage());
    const [msg] = await all.until(1);
    await webhook.flow.seeCut(caller);
    send(ACK, msg);
    await untilBadge(/1 acknowledged/);
  });
});
