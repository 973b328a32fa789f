import type { NodeAPI } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import type { WebhookConfig, WebhookCredentials } from "../../lib/runtime/webhook/webhook-settings";

export default function register(RED: NodeAPI): void {
  registerNode<WebhookConfig, WebhookCredentials>(
    RED,
    "messaging-webhook-in",
    (node, config) => {
      const { WebhookNode } =
        require("../../lib/runtime/webhook/webhook-node") as typeof import("../../lib/runtime/webhook/webhook-node");
      WebhookNode.start(RED, node, config);
    },
    {
      secret: { type: "password" },
      secondSecret: { type: "password" },
      username: { type: "text" },
      password: { type: "password" },
      secondPassword: { type: "password" },
    },
  );
}
