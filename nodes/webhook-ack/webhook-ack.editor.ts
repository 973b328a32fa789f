import { watchConditions } from "../../lib/editor/dialog/conditional-rows";
import { openDialog } from "../../lib/editor/dialog/dialog";
import { CATEGORY, PALETTE } from "../../lib/editor/dialog/palette";
import { addPaletteWords } from "../../lib/editor/dialog/palette-words";
import { nodeTexts } from "../../lib/editor/dialog/texts";

const texts = nodeTexts("webhook-ack");

RED.nodes.registerType("webhook-ack", {
  category: CATEGORY,
  color: PALETTE.webhook,
  icon: "webhook-ack.svg",
  defaults: {
    name: { value: "" },
    answer: { value: "acknowledge" },
  },
  inputs: 1,
  outputs: 0,
  align: "right",
  paletteLabel: () => texts("palette"),
  onpaletteadd() {
    addPaletteWords("webhook-ack");
  },
  label() {
    return this.name || texts(`label.${String(this.answer)}`);
  },
  labelStyle() {
    return this.name ? "node_label_italic" : "";
  },
  oneditprepare() {
    watchConditions(openDialog(this));
  },
});
