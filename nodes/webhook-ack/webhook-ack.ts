import type { NodeAPI } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import type { AckConfig } from "../../lib/runtime/webhook/ack-node";

export default function register(RED: NodeAPI): void {
  registerNode<AckConfig>(RED, "messaging-webhook-ack", (node, config) => {
    const { AckNode } =
      require("../../lib/runtime/webhook/ack-node") as typeof import("../../lib/runtime/webhook/ack-node");
    new AckNode(RED, node, config);
  });
}
