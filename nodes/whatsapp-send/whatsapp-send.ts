import type { NodeAPI } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import type { SendConfig } from "../../lib/runtime/send/send-setup";

export default function register(RED: NodeAPI): void {
  registerNode<SendConfig>(RED, "messaging-whatsapp-send", (node, config) => {
    const { WHATSAPP_CHANNEL } =
      require("../../lib/runtime/channels/whatsapp-channel") as typeof import("../../lib/runtime/channels/whatsapp-channel");
    const { SendExecutor } =
      require("../../lib/runtime/send/send-executor") as typeof import("../../lib/runtime/send/send-executor");
    new SendExecutor(RED, node, config, WHATSAPP_CHANNEL);
  });
}
