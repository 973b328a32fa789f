import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { deliveryReport, statusMessage } from "../../../support/http/webhook-events";
import { useFolder } from "../../../unit/store/use-folder";
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

  it("finds out from the account which channel a status is of", async () => {
    const id = "n-account-of-channel";
    const flow = await webhook.start({
      webhook: { kind: "status", account: id, channel: "rcs" },
      more: [
        {
          id,
          type: "messaging-account",
          service: "simulator",
          keepMessages: "computer",
          storeFolder: folder(),
        },
        templateSender(id),
      ],
    });
    await untilKnown(flow, id, 1);
    flow.node("n-sender").receive({ to: UNREACHED } as unknown as NodeMessage);
    const [msg] = await flow.all.until(1);
    assert.deepEqual([eventOf(msg).channel, (msg as ReceivedMessage).from], ["whatsapp", `+${UNREACHED}`]);
    assert.deepEqual([flow.ports[1]!.messages.length, flow.ports[2]!.messages.length], [0, 1]);
  });
});
