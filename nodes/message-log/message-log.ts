import type { NodeAPI } from "node-red";
import type { LogConfig } from "../../lib/runtime/log/log-node";
import { registerNode } from "../../lib/runtime/node-red/register-node";

export default function register(RED: NodeAPI): void {
  registerNode<LogConfig>(RED, "messaging-message-log", (node, config) => {
    const { LogNode } =
      require("../../lib/runtime/log/log-node") as typeof import("../../lib/runtime/log/log-node");
    new LogNode(RED, node, config);
  });
}
