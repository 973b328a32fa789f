import type { EditedNode } from "./node-definition";

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
