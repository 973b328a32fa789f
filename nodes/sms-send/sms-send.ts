import type { Node, NodeAPI, NodeDef } from "node-red";
import { SendExecutor } from "../../lib/runtime/send/send-executor";
import type { SendConfig } from "../../lib/runtime/send/send-setup";
import { SMS_CHANNEL } from "../../lib/runtime/channels/sms-channel";

/** Sends SMS, flash SMS and voice messages. */
export default function register(RED: NodeAPI): void {
  function SmsSend(this: Node, config: NodeDef & SendConfig): void {
    RED.nodes.createNode(this, config);
    new SendExecutor(RED, this, config, SMS_CHANNEL);
  }
  RED.nodes.registerType("sms-send", SmsSend as never);
}
