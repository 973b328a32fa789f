import type { NodeAPI } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import type { SendConfig } from "../../lib/runtime/send/send-setup";

export default function register(RED: NodeAPI): void {
  registerNode<SendConfig>(RED, "messaging-media-transfer", (node, config) => {
    const { MEDIA_CHANNEL } =
      require("../../lib/runtime/channels/media-channel") as typeof import("../../lib/runtime/channels/media-channel");
    const { SendExecutor } =
      require("../../lib/runtime/send/send-executor") as typeof import("../../lib/runtime/send/send-executor");
    new SendExecutor(RED, node, config, MEDIA_CHANNEL);
  });
}
