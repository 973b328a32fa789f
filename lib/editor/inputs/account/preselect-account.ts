import type { Dialog } from "../../dialog/dialog";
import type { EditedNode } from "../../dialog/node-definition";
import { accountsForTab, accountsOnTab } from "./tab-accounts";

/**
 * Id of the account that a node without one probably has: the one that the other nodes of its tab use, else the only account there is.
 * Blank where that does not say which: a message by the wrong account costs money.
 */
function probableAccount({ z }: EditedNode): string {
  const onTab = accountsOnTab(z);
  const [first, ...others] = onTab.length > 0 ? onTab : accountsForTab(z);
  return others.length === 0 ? (first?.id ?? "") : "";
}

/**
 * Chooses the account of a node that somebody adds from the palette; to be called by its `onadd`. What is imported or pasted stays as it is.
 */
export function preselectAccount(node: EditedNode): void {
  // A node from the palette joins the flows after `onadd`, and becomes a user of its account by that. A copy is there already.
  if (!RED.nodes.node(node.id) && !node.account) {
    node.account = probableAccount(node);
  }
}

/** Chooses the account in the dialog of a node that has none, such as one from before the first account. The node has it once the dialog is saved. */
export function preselectInDialog({ node, input }: Dialog): void {
  const account = node.account ? "" : probableAccount(node);
  if (account !== "") {
    input("account").val(account).trigger("change");
  }
}
