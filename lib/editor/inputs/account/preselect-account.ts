import type { EditedNode } from "../../dialog/node-definition";
import { accountsForTab, accountsOnTab } from "./tab-accounts";

/**
 * Chooses the account of a node that somebody adds from the palette; to be called by its `onadd`. It is the one that the other nodes of
 * the tab use, else the only account there is. Where that does not say which, the node gets none: a message by the wrong
 * account costs money. What is imported or pasted stays as it is.
 */
export function preselectAccount(node: EditedNode): void {
  // A node from the palette joins the flows after `onadd`, and becomes a user of its account by that. A copy is there already.
  if (RED.nodes.node(node.id) || node.account) {
    return;
  }
  const onTab = accountsOnTab(node.z);
  const [first, ...others] = onTab.length > 0 ? onTab : accountsForTab(node.z);
  node.account = others.length === 0 ? (first?.id ?? "") : "";
}
