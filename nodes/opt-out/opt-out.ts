import type { NodeAPI } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import type { OptOutConfig } from "../../lib/runtime/opt-outs/opt-out-node";

export default function register(RED: NodeAPI): void {
  registerNode<OptOutConfig>(RED, "messaging-opt-out", (node, config) => {
    const { OptOutNode } =
      require("../../lib/runtime/opt-outs/opt-out-node") as typeof import("../../lib/runtime/opt-outs/opt-out-node");
    new OptOutNode(RED, node, config);
  });
}
