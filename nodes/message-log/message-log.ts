import type { NodeAPI } from "node-red";
import { type LogConfig, LogNode } from "../../lib/runtime/log/log-node";
import { registerNode } from "../../lib/runtime/node-red/register-node";

/** Says what became of earlier messages, or counts those of a period. */
export default function register(RED: NodeAPI): void {
  registerNode<LogConfig>(RED, "message-log", (node, config) => {
    new LogNode(RED, node, config);
  });
}
