import type { Node, NodeAPI, NodeDef } from "node-red";
import { MEDIA_CHANNEL } from "../../lib/runtime/channels/media-channel";
import { SendExecutor } from "../../lib/runtime/send/send-executor";
import type { SendConfig } from "../../lib/runtime/send/send-setup";

/** Downloads media, uploads media, and creates attachments for WhatsApp broadcasts. */
export default function register(RED: NodeAPI): void {
  function MediaTransfer(this: Node, config: NodeDef & SendConfig): void {
    RED.nodes.createNode(this, config);
    new SendExecutor(RED, this, config, MEDIA_CHANNEL);
  }
  RED.nodes.registerType("media-transfer", MediaTransfer as never);
}
