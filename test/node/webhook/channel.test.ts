import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { deliveryReport, statusMessage } from "../../support/http/webhook-events";
import { useFolder } from "../../unit/store/use-folder";
import {
  ACKNOWLEDGED,
  eventOf,
  PATH,
  post,
  type ReceivedMessage,
  templateSender,
  untilKnown,
  useWebhook,
} from "./webhook-flow";

/** Messages of messengers to this number fail. */
const UNREACHED = "999030002";
const FAILED = { messageStatus: "failed" };
const FAILED_SMS = { deliveryReportMessageStatus: "expired" };

describe("webhook-in for the statuses of one channel", () => {
  const webhook = useWebhook();
  const folder = useFolder();

  it("lets failed messages of other channels leave by other status, and counts them in the badge", async () => {
    const { url, ports, untilBadge } = await webhook.start({ webhook: { kind: "status", channel: "sms" } });
    assert.deepEqual(await post(url + PATH, deliveryReport(FAILED_SMS)), ACKNOWLEDGED);
    assert.deepEqual(await post(url + PATH, statusMessage(FAILED)), ACKNOWLEDGED);
    const [own] = await ports[1]!.until(1);
    const [other] = (await ports[2]!.until(1)) as ReceivedMessage[];
    assert.deepEqual([eventOf(own).channel, other?.payload], ["sms", statusMessage(FAILED)]);
    assert.equal("channel" in other!.event, false);
    assert.equal(ports[1]!.messages.length, 1);
    await untilBadge(/^2 received · 1 of other channels · \d/);
  });

  it("is for all channels in a new node", async () => {
    const flow = await webhook.start({ webhook: { kind: "status" } });
    await post(flow.url + PATH, deliveryReport(FAILED_SMS));
    await post(flow.url + PATH, statusMessage(FAILED));
    assert.equal((await flow.ports[1]!.until(2)).length, 2);
  });

  it("does not run with a channel that does not exist", async () => {
    const flow = await webhook.start({ webhook: { kind: "status", channel: "fax" } });
    assert.match(flow.log("error").join(), /channel of the webhook must be all, sms, whatsapp or rcs/);
    assert.deepEqual((await post(flow.url + PATH, deliveryReport(FAILED_SMS))).status, 404);
  });

  for (const keepMessages of ["memory", "computer"]) {
    for (const channel of ["whatsapp", "rcs"]) {
      // Of its own: the built-in simulator remembers webhooks of others for a while.
      const id = `n-account-${channel}-${keepMessages}`;
      it(`finds out which channel a status is of, with ${channel} chosen and messages kept in ${keepMessages}`, async () => {
        const account = { service: "simulator", keepMessages, storeFolder: folder() };
        const flow = await webhook.start({
          webhook: { kind: "status", account: id, channel },
          more: [{ id, type: "messaging-account", ...account }, templateSender(id)],
        });
        await untilKnown(flow, id, 1);
        flow.node("n-sender").receive({ to: UNREACHED } as unknown as NodeMessage);
        const [msg] = await flow.all.until(1);
        const [port, none] = channel === "whatsapp" ? [1, 2] : [2, 1];
        assert.deepEqual(
          [eventOf(msg).channel, (msg as ReceivedMessage).from],
          ["whatsapp", `+${UNREACHED}`],
        );
        assert.deepEqual([flow.ports[port]!.messages.length, flow.ports[none]!.messages.length], [1, 0]);
      });
    }
  }
});
