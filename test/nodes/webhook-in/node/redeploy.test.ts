import assert from "node:assert/strict";
import { statusMessage } from "../../../support/http/webhook-events";
import { waitFor } from "../../../support/wait-for";
import { ACK, ACKNOWLEDGED, PATH, post, useWebhook, WEBHOOK, type WebhookFlow } from "./webhook-flow";

describe("webhooks in deploys of modified nodes", () => {
  const { start } = useWebhook();
  let flow: WebhookFlow;
  beforeEach(async () => {
    flow = await start({ webhook: { kind: "status", acknowledge: "flow", ackTimeout: 60 }, ack: {} });
  });

  const rename = (...ids: string[]) =>
    flow.redeploy((node) => (ids.includes(String(node.id)) ? { ...node, name: "after" } : node));

  /** Posts an event, and waits until the flow has it. */
  async function begin(count: number, event = statusMessage()) {
    const answer = post(flow.url + PATH, event);
    const { [count - 1]: msg } = await flow.all.until(count);
    return { answer, msg };
  }

  for (const [what, ids] of [
    ["messaging-webhook-in", [WEBHOOK]],
    ["both nodes", [WEBHOOK, ACK]],
  ] as const) {
    it(`keep the caller of an event that the flow has yet to decide about, with ${what} replaced`, async () => {
      const { answer, msg } = await begin(1);
      await rename(...ids);
      flow.node(ACK).receive(msg);
      assert.deepEqual(await answer, ACKNOWLEDGED);
      // The node that came back remembers it, though the other one had taken it.
      assert.deepEqual(await post(flow.url + PATH, statusMessage()), ACKNOWLEDGED);
      assert.equal(flow.all.messages.length, 1);
    });
  }

  it("have a copy that meets the new node share the answer of the first", async () => {
    const { answer, msg } = await begin(1);
    await rename(WEBHOOK);
    await rename(WEBHOOK, ACK);
    let copied = false;
    const copy = post(flow.url + PATH, statusMessage()).finally(() => {
      copied = true;
    });
    // Another event comes behind the copy, so that the copy was looked at by then.
    const other = await begin(2, statusMessage({ transferId: "another" }));
    assert.equal(copied, false);
    flow.node(ACK).receive(msg);
    assert.deepEqual([await answer, await copy], [ACKNOWLEDGED, ACKNOWLEDGED]);
    flow.node(ACK).receive(other.msg);
    assert.deepEqual(await other.answer, ACKNOWLEDGED);
    assert.equal(flow.all.messages.length, 2);
  });

  it("accept the decision about an event whose webhook-in was removed", async () => {
    const { answer, msg } = await begin(1);
    await flow.redeploy((node) => (node.id === WEBHOOK ? null : node));
    flow.node(ACK).receive({ ...msg, error: { message: "failed" } });
    // It took the event, so what the flow says still counts.
    assert.deepEqual(await answer, ACKNOWLEDGED);
    assert.deepEqual(
      flow.log("error").filter((line) => /webhook/.test(line)),
      [],
    );
  });

  it("keep decisions that arrive while webhook-ack is being replaced", async () => {
    const { answer, msg } = await begin(1);
    const { RED } = flow;
    // As another, running flow would send it: after the node was closed, and before its successor is there.
    RED.events.once("flows:stopping", () => {
      queueMicrotask(() => {
        const event = { msg: msg ?? {}, destination: { id: ACK }, cloneMessage: false };
        RED.hooks.trigger("preRoute", event, (result) => {
          assert.equal(result, false, "held back");
        });
      });
    });
    await rename(ACK);
    assert.deepEqual(await answer, ACKNOWLEDGED);
    await waitFor("the badge", () => flow.statuses.messages.length > 0);
  });
});
