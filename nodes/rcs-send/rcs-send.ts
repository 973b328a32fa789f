import type { Node, NodeAPI, NodeDef } from "node-red";
import { RCS_KIND } from "../../lib/runtime/rcs-kind";
import { type SendConfig, SendExecutor } from "../../lib/runtime/send-executor";
import { POSITION_FORMS } from "../../lib/shared/rcs-fields";

/** Sends RCS messages: text, files, places, cards, and payloads that a flow brings along whole. */
export default function register(RED: NodeAPI): void {
  function RcsSend(this: Node, config: NodeDef & SendConfig): void {
    RED.nodes.createNode(this, config);
    new SendExecutor(RED, this, { ...config, positionAs: config.positionAs ?? POSITION_FORMS[0] }, RCS_KIND);
  }
  RED.nodes.registerType("rcs-send", RcsSend as never);
}
