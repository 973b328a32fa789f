import type { NodeAPI } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import { type AckConfig, AckNode } from "../../lib/runtime/webhook/ack-node";
import { acknowledgementsOf } from "../../lib/runtime/webhook/acknowledgements-of";

/** Acknowledges an event on behalf of the flow, or asks the service to deliver it again. */
export default function register(RED: NodeAPI): void {
  registerNode<AckConfig>(RED, "webhook-ack", (node, config) => {
    new AckNode(RED, node, config, acknowledgementsOf(RED));
  });
}
