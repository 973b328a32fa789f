import type { Node, NodeAPI, NodeDef } from "node-red";
import { acknowledgementsOf } from "../../lib/runtime/webhook/acknowledgements-of";
import { AckNode, type AckConfig } from "../../lib/runtime/webhook/ack-node";

/** Tells the service that a flow has done its work with an event, or asks for the event again. */
export default function register(RED: NodeAPI): void {
  function WebhookAck(this: Node, config: NodeDef & AckConfig): void {
    RED.nodes.createNode(this, config);
    new AckNode(RED, this, config, acknowledgementsOf(RED));
  }
  RED.nodes.registerType("webhook-ack", WebhookAck as never);
}
