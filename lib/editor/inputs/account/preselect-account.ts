import type { Dialog } from "../../dialog/dialog";
import type { EditedNode } from "../../dialog/node-definition";
import { accountsForTab, accountsOnTab } from "./tab-accounts";

/** The only account of the tab or of all; blank if ambiguous, because a message by the wrong account costs money. */
function probableAccount({ z }: EditedNode): string {
  const onTab = accountsOnTab(z);
  const [first, ...others] = onTab.length > 0 ? onTab : accountsForTab(z);
  return others.length === 0 ? (first?.id ?? "") : "";
}

/** Call in `onadd`. Imported and pasted nodes stay unchanged. */
export function preselectAccount(node: EditedNode): void {
  // A node from the palette joins the flows after `onadd`; a copy has joined before.
  if (!RED.nodes.node(node.id) && !node.account) {
    node.account = probableAccount(node);
  }
}

/** The node gets the account when the dialog is saved. */
export function preselectInDialog({ node, input }: Dialog): void {
  const account = node.account ? "" : probableAccount(node);
  if (account !== "") {
    input("account").val(account).trigger("change");
  }
}
