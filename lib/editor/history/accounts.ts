import type { EditedNode } from "../dialog/node-definition";

export interface AccountChoice {
  readonly id: string;
  readonly label: string;
}

/** The accounts of the flows that are not disabled. */
export function accountChoices(): readonly AccountChoice[] {
  const found: AccountChoice[] = [];
  RED.nodes.eachConfig((each) => {
    const node = each as EditedNode;
    if (node.type === "messaging-account" && node.d !== true) {
      found.push({ id: node.id, label: RED.utils.getNodeLabel(node, node.id) });
    }
    return true;
  });
  return found;
}

/** The first account that a node on the open tab has; null where none there has one. */
export function accountOfTab(): string | null {
  const nodes = RED.nodes.filterNodes({ z: RED.workspaces.active() }) as readonly EditedNode[];
  const used = new Set(nodes.map(({ account }) => account));
  return accountChoices().find(({ id }) => used.has(id))?.id ?? null;
}

/** The send nodes of an account. Those inside of subflows are left out: the history has a path for each of their instances. */
export function senderChoices(account: string): readonly AccountChoice[] {
  const found: AccountChoice[] = [];
  RED.nodes.eachNode((each) => {
    const node = each as EditedNode;
    if (node.account === account && node.type.endsWith("-send") && !RED.nodes.subflow(String(node.z))) {
      found.push({ id: node.id, label: RED.utils.getNodeLabel(node, node.id) });
    }
    return true;
  });
  return found.sort((one, other) => one.label.localeCompare(other.label));
}
