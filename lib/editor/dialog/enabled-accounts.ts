import type { EditedNode } from "./node-definition";

/** The accounts of the flows that are not disabled. */
export function enabledAccounts(): readonly EditedNode[] {
  const found: EditedNode[] = [];
  RED.nodes.eachConfig((each) => {
    const node = each as EditedNode;
    if (node.type === "messaging-account" && node.d !== true) {
      found.push(node);
    }
    return true;
  });
  return found;
}
