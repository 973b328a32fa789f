import type { Node, NodeAPI, NodeDef } from "node-red";
import { acknowledgementsOf } from "../../lib/runtime/webhook/acknowledgements-of";
import { serveSelfTests } from "../../lib/runtime/admin/self-test-route";
import { WebhookNode } from "../../lib/runtime/webhook/webhook-node";
import { serveWebhookSecrets } from "../../lib/runtime/admin/webhook-secret-route";
import type { WebhookConfig, WebhookCredentials } from "../../lib/runtime/webhook/webhook-settings";

/** Receives what the service calls back with: inbound messages, status messages, SMS delivery reports. */
export default function register(RED: NodeAPI): void {
  function WebhookIn(this: Node<WebhookCredentials>, config: NodeDef & WebhookConfig): void {
    RED.nodes.createNode(this, config);
    WebhookNode.start(RED, this, config, acknowledgementsOf(RED));
  }
  RED.nodes.registerType("webhook-in", WebhookIn as never, {
    credentials: {
      secret: { type: "password" },
      secondSecret: { type: "password" },
      username: { type: "text" },
      password: { type: "password" },
      secondPassword: { type: "password" },
    },
  });
  serveSelfTests(RED);
  serveWebhookSecrets(RED);
}
