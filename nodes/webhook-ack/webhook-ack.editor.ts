import { PALETTE } from "../../lib/editor/dialog/palette";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { defineNode } from "../../lib/editor/nodes/define-node";

const texts = nodeTexts("messaging-webhook-ack");

RED.nodes.registerType(
  "messaging-webhook-ack",
  defineNode("messaging-webhook-ack", {
    color: PALETTE.webhook,
    defaults: { name: { value: "" }, answer: { value: "acknowledge" } },
    outputs: 0,
    align: "right",
    describe: ({ answer }) => texts(`label.${String(answer)}`),
  }),
);
