import type { NodeAPI } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import type { SendConfig } from "../../lib/runtime/send/send-setup";

export default function register(RED: NodeAPI): void {
  registerNode<SendConfig>(RED, "messaging-rcs-send", (node, config) => {
    const { RCS_CHANNEL } =
      require("../../lib/runtime/channels/rcs-channel") as typeof import("../../lib/runtime/channels/rcs-channel");
    const { SendExecutor } =
      require("../../lib/runtime/send/send-executor") as typeof import("../../lib/runtime/send/send-executor");
    new SendExecutor(RED, node, config, RCS_CHANNEL);
  });
}
