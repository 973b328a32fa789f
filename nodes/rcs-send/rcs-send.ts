import type { NodeAPI } from "node-red";
import { RCS_CHANNEL } from "../../lib/runtime/channels/rcs-channel";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import { SendExecutor } from "../../lib/runtime/send/send-executor";
import type { SendConfig } from "../../lib/runtime/send/send-setup";

/** Sends RCS messages: text, files, places, cards, and payloads that a flow brings along whole. */
export default function register(RED: NodeAPI): void {
  registerNode<SendConfig>(RED, "rcs-send", (node, config) => {
    new SendExecutor(RED, node, config, RCS_CHANNEL);
  });
}
