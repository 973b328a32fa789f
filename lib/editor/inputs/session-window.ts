import type { Dialog } from "../dialog/dialog";
import { accountOf } from "./account/account-property";
import { hasReceiver } from "./event-receivers";

/** Prepares the hint below the choice of what becomes of a text outside the 24-hour window. */
export function watchWindow({ node, form, watch }: Dialog): void {
  const webhook = form.find("#messaging-window-webhook");
  watch(() => {
    const account = accountOf(node);
    const isChosen = RED.nodes.node(account)?.type === "messaging-account";
    webhook.toggle(isChosen && !hasReceiver(account, "inbound"));
  });
}
