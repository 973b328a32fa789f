import type { NodeAPI } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import type { SendConfig } from "../../lib/runtime/send/send-setup";

export default function register(RED: NodeAPI): void {
  registerNode<SendConfig>(RED, "messaging-sms-send", (node, config) => {
    const { SMS_CHANNEL } =
      require("../../lib/runtime/channels/sms-channel") as typeof import("../../lib/runtime/channels/sms-channel");
    const { SendExecutor } =
      require("../../lib/runtime/send/send-executor") as typeof import("../../lib/runtime/send/send-executor");
    new SendExecutor(RED, node, config, SMS_CHANNEL);
  });
}
