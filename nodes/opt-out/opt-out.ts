import type { NodeAPI } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import { type OptOutConfig, OptOutNode } from "../../lib/runtime/opt-outs/opt-out-node";

/** Changes, asks and reads the list of people who do not want messages of an account. */
export default function register(RED: NodeAPI): void {
  registerNode<OptOutConfig>(RED, "opt-out", (node, config) => {
    new OptOutNode(RED, node, config);
  });
}
