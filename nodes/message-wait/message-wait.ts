import type { NodeAPI } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import type { WaitConfig } from "../../lib/runtime/message-wait/wait-settings";

export default function register(RED: NodeAPI): void {
  registerNode<WaitConfig>(RED, "messaging-message-wait", (node, config) => {
    const { WaitNode } =
      require("../../lib/runtime/message-wait/wait-node") as typeof import("../../lib/runtime/message-wait/wait-node");
    new WaitNode(RED, node, config);
  });
}
