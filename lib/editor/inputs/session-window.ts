import { OUTSIDE_WINDOW } from "../../shared/fields/whatsapp-fields";
import type { Dialog } from "../dialog/dialog";
import { fillMissing } from "../dialog/missing-properties";
import { accountOf } from "./account-property";
import { hasReceiver } from "./event-receivers";

/**
 * Prepares the choice of what becomes of a text outside the 24-hour window. A node that was saved before there was the choice lacks
 * it, and goes on without it until somebody chooses something else.
 */
export function prepareWindow(dialog: Dialog): void {
  const { node, form, watch } = dialog;
  fillMissing(dialog, { outsideWindow: OUTSIDE_WINDOW[0] });
  const webhook = form.find("#messaging-window-webhook");
  watch(() => {
    const account = accountOf(node);
    const isChosen = RED.nodes.node(account)?.type === "messaging-account";
    webhook.toggle(isChosen && !hasReceiver(account, "inbound"));
  });
}
