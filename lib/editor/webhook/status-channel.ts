import { CHANNEL_OF_TYPE, type MessageChannel, readMessageChannel } from "../../shared/message-channel";
import { currentValue, type Dialog } from "../dialog/dialog";
import type { EditedNode } from "../dialog/node-definition";
import type { Texts } from "../dialog/texts";
import { nodeBehind } from "./send-node-behind";

const FAILED = 1;

/** Null for all channels and for inbound messages. */
export const getStatusChannel = (node: EditedNode): MessageChannel | null =>
  node.kind === "status" ? readMessageChannel(node.channel) : null;

/** Finds a send node behind *failed* whose own failed messages would start it again. @param channel null for all */
const loopBehind = (node: EditedNode, channel: MessageChannel | null): EditedNode | null =>
  nodeBehind(node, FAILED, ({ type }) => {
    const sends = CHANNEL_OF_TYPE.get(type);
    return sends !== undefined && (channel === null || sends === channel);
  });

export function watchLoop({ node, form, watch }: Dialog, texts: Texts): void {
  const warning = form.find("#messaging-webhook-loop");
  watch(() => {
    // The outputs of an inbound webhook have other meanings until the dialog is saved.
    const isStatus = node.kind === "status" && currentValue(node, "kind") === "status";
    const channel = readMessageChannel(currentValue(node, "channel"));
    const sender = isStatus ? loopBehind(node, channel) : null;
    warning.toggle(sender !== null);
    if (sender !== null) {
      const name = RED.utils.getNodeLabel(sender, sender.type);
      warning.find("span").text(texts(channel === null ? "hint.loop" : "hint.loopSame", { name }));
    }
  });
}
