import type { Node, NodeAPI, NodeDef } from "node-red";
import { SendExecutor } from "../../lib/runtime/send/send-executor";
import type { SendConfig } from "../../lib/runtime/send/send-setup";
import { WHATSAPP_CHANNEL } from "../../lib/runtime/channels/whatsapp-channel";

/** Sends WhatsApp text, media, template and broadcast messages. */
export default function register(RED: NodeAPI): void {
  function WhatsAppSend(this: Node, config: NodeDef & SendConfig): void {
    RED.nodes.createNode(this, config);
    new SendExecutor(RED, this, config, WHATSAPP_CHANNEL);
  }
  RED.nodes.registerType("whatsapp-send", WhatsAppSend as never);
}
