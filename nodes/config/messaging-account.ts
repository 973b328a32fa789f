import type { Node, NodeAPI, NodeDef } from "node-red";
import { Account, type AcquireSimulator, CLOSE_GRACE } from "../../lib/runtime/account/account";
import type { AccountConfig, AccountCredentials } from "../../lib/runtime/account/account-settings";
import { ownWebhookRule } from "../../lib/runtime/webhook/own-webhook";
import { serveConnectionTests } from "../../lib/runtime/admin/connection-test-route";
import { serveSendTests } from "../../lib/runtime/admin/send-test-route";
import { serveActivity } from "../../lib/runtime/admin/activity-routes";
import { FlowLifecycle } from "../../lib/runtime/node-red/flow-lifecycle";
import { serveSimulatorPanel } from "../../lib/runtime/admin/simulator-routes";

type AccountNode = Node<AccountCredentials> & { account?: Account };

/** Where the service is, who we are, and how hard we may push. Send nodes find it as `node.account`. */
export default function register(RED: NodeAPI): void {
  const mayCallBack = ownWebhookRule(RED);
  // Loaded only where it is used: an account at the real service never runs a line of it.
  const acquireSimulator: AcquireSimulator = async (id) =>
    (await import("../../simulator/built-in.js")).acquireBuiltIn(id, mayCallBack);
  function MessagingAccount(this: AccountNode, config: NodeDef & AccountConfig): void {
    RED.nodes.createNode(this, config);
    const account = new Account(
      this.id,
      config,
      this.credentials ?? {},
      (id) => RED.nodes.getNode(id),
      acquireSimulator,
    );
    this.account = account;
    const times = FlowLifecycle.of(RED);
    this.on("close", (done: () => void) => {
      if (times.partial) {
        // Other flows run on meanwhile and need their nodes back: answers are awaited in the background.
        void account.close(Number.POSITIVE_INFINITY);
        done();
      } else {
        void account.close(CLOSE_GRACE).finally(done);
      }
    });
  }
  RED.nodes.registerType("messaging-account", MessagingAccount as never, {
    credentials: {
      username: { type: "text" },
      password: { type: "password" },
      accessToken: { type: "password" },
      clientId: { type: "text" },
      clientSecret: { type: "password" },
    },
  });
  serveConnectionTests(RED, acquireSimulator);
  serveSendTests(RED);
  serveActivity(RED);
  serveSimulatorPanel(RED);
}
