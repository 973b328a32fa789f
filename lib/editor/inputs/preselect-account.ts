import type { EditedNode } from "../dialog/node-definition";
import { enabledAccounts } from "../dialog/enabled-accounts";

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

/** A step as its parts. */
const partsOf = (step: Step): readonly Step[] =>
  step.t === "multi" ? (step.events ?? []).flatMap(partsOf) : [step];

/** The account of the node that some steps have added or edited last, out of some accounts. */
const lastAccountIn = (steps: readonly Step[], accounts: readonly string[]): string | undefined =>
  steps
    .flatMap(partsOf)
    .flatMap(({ t, node, nodes = [] }) =>
      t === "edit" ? [node] : t === "add" ? nodes.map((id) => RED.nodes.node(id)) : [],
    )
    .map((changed) => String(changed?.account))
    .findLast((account) => accounts.includes(account));

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
  const accounts = enabledAccounts()
    .filter(({ z }) => !z || z === node.z)
    .map(({ id }) => id);
  const [only] = accounts;
  const steps = (): readonly Step[] => RED.history.list() as unknown as readonly Step[];
  node.account = (accounts.length === 1 ? only : lastAccountIn(steps(), accounts)) ?? "";
}
