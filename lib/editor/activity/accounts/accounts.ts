import { enabledAccounts } from "../../dialog/enabled-accounts";
import type { EditedNode } from "../../dialog/node-definition";
import { ALL_ACCOUNTS } from "./chosen-account";

/** A node or an account that a person can choose. */
export interface Choice {
  readonly id: string;
  readonly label: string;
}

const choiceOf = (node: EditedNode): Choice => ({
  id: node.id,
  label: RED.utils.getNodeLabel(node, node.id),
});

/** The accounts of the flows that are not disabled. @param isWanted which of them */
export const accountChoices = (isWanted: (account: EditedNode) => boolean = () => true): readonly Choice[] =>
  enabledAccounts().filter(isWanted).map(choiceOf);

/** The name of an account of the flows; its id where the editor does not know it. */
export function accountLabel(account: string): string {
  const node = RED.nodes.node(account) as EditedNode | null | undefined;
  return node ? choiceOf(node).label : account;
}

/** Choices of nodes, with the tab where several have the same label. */
function nodeChoices(nodes: readonly EditedNode[]): readonly Choice[] {
  const labels = nodes.map((node) => choiceOf(node).label);
  return nodes.map((node) => {
    const choice = choiceOf(node);
    const isOne = labels.indexOf(choice.label) === labels.lastIndexOf(choice.label);
    const tab = isOne ? null : RED.nodes.workspace(String(node.z));
    return tab ? { ...choice, label: `${choice.label} (${tab.label ?? ""})` } : choice;
  });
}

/** The send nodes of an account, or of all. Those inside of subflows are left out: the history has a path for each of their instances. */
export const senderChoices = (account: string): readonly Choice[] =>
  [
    ...nodeChoices(
      (RED.nodes.filterNodes({}) as readonly EditedNode[]).filter(
        (node) =>
          (account === ALL_ACCOUNTS || node.account === account) &&
          node.type.endsWith("-send") &&
          !RED.nodes.subflow(String(node.z)),
      ),
    ),
  ].sort((one, other) => one.label.localeCompare(other.label));

/** Calls `changed` when nodes of the flows in the editor are other ones than before. */
export function onFlowsChanged(changed: () => void): void {
  for (const event of ["nodes:add", "nodes:change", "nodes:remove", "flows:loaded"]) {
    RED.events.on(event, () => changed());
  }
}
