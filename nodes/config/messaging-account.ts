import type { Node, NodeAPI } from "node-red";
import { accountTeller } from "../../lib/runtime/account/account-notice";
import { Account, CLOSE_GRACE } from "../../lib/runtime/account/account";
import type { AcquireSimulator } from "../../lib/runtime/account/simulator-link";
import type { AccountConfig, AccountCredentials } from "../../lib/runtime/account/account-settings";
import { accountsInFlows } from "../../lib/runtime/account/accounts-in-flows";
import { serveAdmin } from "../../lib/runtime/admin/serve-admin";
import { localWebhookRule } from "../../lib/runtime/webhook/local-webhook";
import type { ResolveNode } from "../../lib/runtime/node-red/tls-options";
import { FlowLifecycle } from "../../lib/runtime/node-red/flow-lifecycle";
import { registerNode } from "../../lib/runtime/node-red/register-node";

type AccountNode = Node<AccountCredentials> & { account?: Account; users?: Account["nodes"]["users"] };

/** Holds the service address, the credentials and the limits of one account. Other nodes read it as `node.account`. */
export default function register(RED: NodeAPI): void {
  const mayCallBack = localWebhookRule(RED);
  // Loaded on first use, so an account at the real service never loads the simulator.
  const acquireSimulator: AcquireSimulator = async (id) =>
    (await import("../../simulator/built-in.js")).acquireBuiltIn(id, mayCallBack);
  registerNode<AccountConfig, AccountCredentials>(
    RED,
    "messaging-account",
    (node: AccountNode, config) => {
      const findNode: ResolveNode = (id) => RED.nodes.getNode(id);
      const lifecycle = FlowLifecycle.of(RED);
      const account = new Account(node.id, config, node.credentials ?? {}, findNode, acquireSimulator, {
        userDir: RED.settings.userDir,
        lifecycle,
        warn: (text) => node.warn(text),
        tell: accountTeller(RED, node, config.service !== "service"),
        isInFlows: accountsInFlows(RED),
      });
      node.account = account;
      node.users = account.nodes.users;
      node.on("close", (done: () => void) => {
        if (lifecycle.deploying) {
          // The flows need their nodes back, so the account waits for answers in the background.
          void account.close(Number.POSITIVE_INFINITY);
          done();
        } else {
          void account.close(CLOSE_GRACE).finally(done);
        }
      });
    },
    {
      username: { type: "text" },
      password: { type: "password" },
      accessToken: { type: "password" },
      clientId: { type: "text" },
      clientSecret: { type: "password" },
      storeUrl: { type: "password" },
    },
  );
  serveAdmin(RED, acquireSimulator);
}
