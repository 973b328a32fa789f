import type { NodeAPI } from "node-red";
import { SMS_CHANNEL } from "../../lib/runtime/channels/sms-channel";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import { SendExecutor } from "../../lib/runtime/send/send-executor";
import type { SendConfig } from "../../lib/runtime/send/send-setup";

/** Sends SMS, flash SMS and voice messages. */
export default function register(RED: NodeAPI): void {
  registerNode<SendConfig>(RED, "sms-send", (node, config) => {
    new SendExecutor(RED, node, config, SMS_CHANNEL);
  });
}
