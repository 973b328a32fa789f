import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import type { NodeAPI } from "node-red";
import { runSelfTest, type SelfTestTarget } from "../webhook/self-test";
import { WebhookNode } from "./webhook-node";

/** Where the edit dialog asks for a self-test. */
const ROUTE = "/messaging-account/webhook-in/:id/self-test";

/**
 * Serves the self-test of webhooks to the editor, for those who may deploy. The only addresses that are called are
 * the webhook's own, as they are deployed.
 */
export function serveSelfTests(RED: NodeAPI): void {
  // Without an admin app there is no editor to ask.
  if (typeof RED.httpAdmin?.post !== "function") {
    return;
  }
  RED.httpAdmin.post(ROUTE, RED.auth.needsPermission("flows.write"), (req, res) => {
    const webhook = WebhookNode.of(RED.nodes.getNode(String(req.params.id)));
    if (webhook === null) {
      res.status(404).json({ error: "not-running" });
      return;
    }
    const trouble = webhook.trouble?.code;
    if (trouble === "NO_HTTP" || trouble === "PATH_TAKEN") {
      // A call would find somebody else, or nobody.
      res.json({ checks: [], error: trouble === "NO_HTTP" ? "node-off" : "path-taken" });
      return;
    }
    const { auth } = webhook.settings.gates;
    void Promise.all(targets(RED, webhook).map((target) => runSelfTest(webhook.receiver, auth, target))).then(
      (checks) => res.json({ checks }),
      (error: unknown) => res.status(500).json({ error: (error as Error).message }),
    );
  });
}

function targets(RED: NodeAPI, webhook: WebhookNode): SelfTestTarget[] {
  const signInBefore = Boolean((RED.settings as { httpNodeAuth?: unknown }).httpNodeAuth);
  const local = localOrigin((RED as unknown as { server?: Server }).server);
  const { publicAddress } = webhook.settings;
  return [
    ...(local === null ? [] : [{ where: "local" as const, url: local + webhook.fullPath, signInBefore }]),
    ...(publicAddress === ""
      ? []
      : [{ where: "public" as const, url: publicAddress + webhook.fullPath, signInBefore }]),
  ];
}

/** Address of this Node-RED as seen from its own machine; null where it listens on no port. */
function localOrigin(server: Server | undefined): string | null {
  const address = server?.address() as AddressInfo | string | null | undefined;
  if (server === undefined || typeof address !== "object" || address === null) {
    return null;
  }
  const scheme = "setSecureContext" in server ? "https" : "http";
  const isAny = address.address === "::" || address.address === "0.0.0.0";
  const host = isAny ? "127.0.0.1" : address.address;
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}
