import type { NodeAPI } from "node-red";
import { MEDIA_CHANNEL } from "../../lib/runtime/channels/media-channel";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import { SendExecutor } from "../../lib/runtime/send/send-executor";
import type { SendConfig } from "../../lib/runtime/send/send-setup";

/** Downloads media, uploads media, and creates attachments for WhatsApp broadcasts. */
export default function register(RED: NodeAPI): void {
  registerNode<SendConfig>(RED, "media-transfer", (node, config) => {
    new SendExecutor(RED, node, config, MEDIA_CHANNEL);
  });
}
