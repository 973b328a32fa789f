import type { NodeAPI } from "node-red";
import { WHATSAPP_CHANNEL } from "../../lib/runtime/channels/whatsapp-channel";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import { SendExecutor } from "../../lib/runtime/send/send-executor";
import type { SendConfig } from "../../lib/runtime/send/send-setup";

/** Sends WhatsApp text, media, template and broadcast messages. */
export default function register(RED: NodeAPI): void {
  registerNode<SendConfig>(RED, "whatsapp-send", (node, config) => {
    new SendExecutor(RED, node, config, WHATSAPP_CHANNEL);
  });
}
