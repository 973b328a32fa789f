import type { Node, NodeAPI } from "node-red";
import { getConfigs } from "../node-red/get-configs";
import { FlowLifecycle } from "../node-red/flow-lifecycle";
import { Account, CLOSE_GRACE } from "./account";
import { accountNotifier } from "./account-notice";
import type { AccountConfig, AccountCredentials } from "./account-settings";
import { reportAtExit } from "./exit-report";
import type { AcquireSimulator } from "./simulator-link";

type AccountNode = Node<AccountCredentials> & { account?: Account; users?: Account["nodes"]["users"] };

export function startAccount(
  RED: NodeAPI,
  node: AccountNode,
  config: AccountConfig,
  acquireSimulator: AcquireSimulator,
): void {
  const lifecycle = FlowLifecycle.of(RED);
  const account = new Account(
    node.id,
    config,
    node.credentials ?? {},
    (id) => RED.nodes.getNode(id),
    acquireSimulator,
    {
      userDir: RED.settings.userDir,
      lifecycle,
      warn: (text) => node.warn(text),
      tell: accountNotifier(node),
      isInFlows: (account) => {
        const ids = getConfigs(RED, "messaging-account").map(({ id }) => id);
        // In each instance of a subflow the account has the id of the instance before its own.
        return ids.some((id) => account === id || account.endsWith(`-${id}`));
      },
    },
  );
  node.account = account;
  void account.reportPreviousStorage();
  if (config.keepMessages === "memory") {
    reportAtExit(node);
  }
  node.users = account.nodes.users;
  node.on("close", (done: () => void) => {
    if (lifecycle.deploying) {
      // Closes in the background because a deploy waits for the node, not for responses.
      void account.close(Number.POSITIVE_INFINITY);
      done();
    } else {
      void account.close(CLOSE_GRACE).finally(done);
    }
  });
}
