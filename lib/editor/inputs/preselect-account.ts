import type { EditedNode } from "../dialog/node-definition";

/** A step of the editor's history, as far as it is read here. */
interface Step {
  readonly t: string;
  /** What `edit` has changed. */
  readonly node?: EditedNode;
  /** Ids of what `add` has added. */
  readonly nodes?: readonly string[];
  /** The parts of `multi`. */
  readonly events?: readonly Step[];
}

/** The account of the node that a step has added or edited last, out of some accounts. */
function lastAccountOf(
  { t, node, nodes = [], events = [] }: Step,
  accounts: readonly string[],
): string | undefined {
  if (t === "multi") {
    return lastAccountIn(events, accounts);
  }
  const changed = t === "edit" ? [node] : t === "add" ? nodes.map((id) => RED.nodes.node(id)) : [];
  return changed.map((each) => String(each?.account)).findLast((account) => accounts.includes(account));
}

function lastAccountIn(steps: readonly Step[], accounts: readonly string[]): string | undefined {
  for (const step of [...steps].reverse()) {
    const account = lastAccountOf(step, accounts);
    if (account !== undefined) {
      return account;
    }
  }
  return undefined;
}

/** Ids of the accounts that the dialog of a node offers, without those that are disabled. */
function accountsFor(node: EditedNode): readonly string[] {
  const found: string[] = [];
  RED.nodes.eachConfig((each) => {
    const { type, id, d, z } = each as EditedNode;
    if (type === "messaging-account" && d !== true && (!z || z === node.z)) {
      found.push(id);
    }
    return true;
  });
  return found;
}

/**
 * Chooses the account of a node that somebody adds from the palette; to be called by its `onadd`. It is the only account
 * there is, or of several the one of the node that was added or edited last since the editor was opened. Leaves
 * everything else without an account, and what is imported or pasted as it is.
 */
export function preselectAccount(node: EditedNode): void {
  // A node from the palette joins the flows after `onadd`, and becomes a user of its account by that. A copy is there already.
  if (RED.nodes.node(node.id) || node.account) {
    return;
  }
  const accounts = accountsFor(node);
  const [only] = accounts;
  const steps = (): readonly Step[] => RED.history.list() as unknown as readonly Step[];
  node.account = (accounts.length === 1 ? only : lastAccountIn(steps(), accounts)) ?? "";
}
