import assert from "node:assert/strict";
import { Account } from "../../../../lib/runtime/account/account";
import { loopbackEndpoint } from "../../../../lib/runtime/simulator/loopback-endpoint";
import { getScope } from "../../../../lib/store/schema/scope";
import { inboundSms } from "../../../support/http/webhook-events";
import { waitFor } from "../../../support/wait-for";
import {
  ACKNOWLEDGED,
  eventOf,
  PATH,
  post,
  type ReceivedMessage,
  SECRET,
  templateSender,
  useWebhook,
  WEBHOOK,
  type WebhookFlow,
} from "./webhook-flow";
import { PortLog } from "../../../node/flow";

const ACCOUNT = "n-account";
const STATUS = "n-status-hook";
const SENDER = "n-sender";

/** Writes back once it got a template. */
const PERSON = "999560001";

describe("webhook-in with a simulated account", () => {
  const webhook = useWebhook();
  const start = (): Promise<WebhookFlow> =>
    webhook.start({
      webhook: { account: ACCOUNT },
      // Not even a secret: the simulator needs none.
      credentials: {},
      more: [
        { id: ACCOUNT, type: "messaging-account", service: "simulator", keepMessages: "memory" },
        {
          id: STATUS,
          z: "tab",
          type: "messaging-webhook-in",
          kind: "status",
          account: ACCOUNT,
          wires: [["delivered"]],
        },
        { id: "delivered", z: "tab", type: "helper" },
        templateSender(ACCOUNT, ["sent"]),
        { id: "sent", z: "tab", type: "helper" },
      ],
    });
  const logOf = (id: string): PortLog => {
    const log = new PortLog();
    webhook.flow.node(id).on("input", (msg) => log.take(msg as never));
    return log;
  };

  it("receives statuses and replies without any settings", async () => {
    const { ports } = await start();
    const [delivered, sent] = [logOf("delivered"), logOf("sent")];
    webhook.flow.node(SENDER).receive({ to: PERSON });
    const [result] = (await sent.until(1)) as { result?: { transferId: string } }[];
    const [status] = (await delivered.until(1)) as ReceivedMessage[];
    const [answer] = (await ports[0]!.until(1)) as ReceivedMessage[];
    assert.deepEqual(
      [status!.event.kind, status!.event.simulated, (status!.payload as { transferId: string }).transferId],
      ["status", true, result!.result!.transferId],
    );
    assert.deepEqual(
      [answer!.event.kind, answer!.event.simulated, answer!.topic, answer!.payload],
      ["inbound", true, `+${PERSON}`, { ...(answer!.payload as object), content: "Yes, please" }],
    );
    await webhook.flow.untilBadge(/^SIMULATED · 1 received/);
    assert.doesNotMatch(JSON.stringify(answer), /x-messaging|secret/i);
  });

  it("refuses every other caller", async () => {
    const { url } = await start();
    for (const headers of [{}, { "x-messaging-simulator": SECRET }]) {
      const response = await fetch(`${url}/messaging/${WEBHOOK}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: "{}",
      });
      assert.equal(response.status, 401);
    }
  });

  it("keeps events of the service and of the simulator apart", async () => {
    const { url, ports, node } = await webhook.start({
      webhook: { account: ACCOUNT, optOutWords: true },
      more: [{ id: ACCOUNT, type: "messaging-account", service: "simulator", keepMessages: "memory" }],
    });
    const { store } = await Account.of(node(ACCOUNT)).store();
    const count = (simulated: boolean) => store.optOuts(getScope(ACCOUNT, simulated)).count();
    for (const [headers, simulated, counts] of [
      [{}, false, [1, 0]],
      [loopbackEndpoint.headers, true, [1, 1]],
    ] as const) {
      const stop = inboundSms({ notificationId: `simulated: ${simulated}` });
      assert.deepEqual(await post(url + PATH, stop, headers), ACKNOWLEDGED);
      assert.equal(eventOf(ports[0]!.messages.at(-1)).simulated, simulated);
      assert.deepEqual([await count(false), await count(true)], counts);
    }
  });

  it("gets after a redeploy what was under way", async () => {
    await start();
    const node = webhook.flow.node(STATUS) as unknown as { close(removed: boolean): Promise<void> };
    await node.close(false);
    webhook.flow.node(SENDER).receive({ to: PERSON });
    await waitFor("the other webhook", () => webhook.flow.ports[0]!.messages.length === 1);
    // The helper starts all nodes anew, under the same ids.
    await webhook.flow.stop();
    await start();
    const delivered = logOf("delivered");
    await delivered.until(1);
  });
});
