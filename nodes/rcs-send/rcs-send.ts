import type { Node, NodeAPI, NodeDef } from "node-red";
import { RCS_CHANNEL } from "../../lib/runtime/channels/rcs-channel";
import { SendExecutor } from "../../lib/runtime/send/send-executor";
import type { SendConfig } from "../../lib/runtime/send/send-setup";

/** Sends RCS messages: text, files, places, cards, and payloads that a flow brings along whole. */
export default function register(RED: NodeAPI): void {
  function RcsSend(this: Node, config: NodeDef & SendConfig): void {
    RED.nodes.createNode(this, config);
    new SendExecutor(RED, this, config, RCS_CHANNEL);
  }
  RED.nodes.registerType("rcs-send", RcsSend as never);
}
