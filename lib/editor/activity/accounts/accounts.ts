import { excerpt } from "../../../shared/excerpt";
import { sourceProperty } from "../../../shared/fields/field-spec";
import { enabledAccounts } from "../../dialog/enabled-accounts";
import type { EditedNode } from "../../dialog/node-definition";
import { tellApart } from "./tell-apart";

/** A node or an account that a person can choose. */
interface Choice {
  readonly id: string;
  readonly label: string;
}

const choiceOf = (node: EditedNode): Choice => ({
  id: node.id,
  label: RED.utils.getNodeLabel(node, node.id),
});

/** The accounts of the flows that are not disabled. */
export const accountChoices = (): readonly Choice[] => enabledAccounts().map(choiceOf);

/** The name of an account of the flows; its id where the editor does not know it. */
export function accountLabel(account: string): string {
  const node = RED.nodes.node(account) as EditedNode | null | undefined;
  return node ? choiceOf(node).label : account;
}

/** Properties with the text of a message, or what stands for it. */
const TEXTS = ["messageContent", "content", "textMessage", "templateName", "title"] as const;
/** Characters of a text that a label has. */
const LONGEST_TEXT = 24;

/** The beginning of what is typed into a node as its text; blank where that comes from the message. */
function typedText(node: EditedNode): string {
  const name = TEXTS.find(
    (each) => node[sourceProperty(each)] === "str" && String(node[each] ?? "").trim() !== "",
  );
  return name === undefined ? "" : excerpt(String(node[name]).trim().replace(/\s+/g, " "), LONGEST_TEXT);
}

/** Choices of nodes. Where several have the same label, it says their tab and the beginning of their text as well, or has a number. */
function nodeChoices(nodes: readonly EditedNode[]): readonly Choice[] {
  const choices = nodes.map(choiceOf);
  const labels = tellApart(
    choices.map(({ label }) => label),
    (at) => {
      const tab = RED.nodes.workspace(String(nodes[at]?.z));
      return tab ? ` (${tab.label ?? ""})` : "";
    },
    (at) => {
      const text = typedText(nodes[at] as EditedNode);
      return text === "" ? "" : ` · ${text}`;
    },
  );
  return choices.map(({ id }, at) => ({ id, label: labels[at] as string }));
}

/** The send nodes of an account, except nodes inside subflows: the history has a path for each of their instances. */
export const senderChoices = (account: string): readonly Choice[] =>
  [
    ...nodeChoices(
      (RED.nodes.filterNodes({}) as readonly EditedNode[]).filter(
        (node) =>
          node.account === account && node.type.endsWith("-send") && !RED.nodes.subflow(String(node.z)),
      ),
    ),
  ].sort((one, other) => one.label.localeCompare(other.label));

/** Calls `changed` when nodes of the flows in the editor are other ones than before. */
export function onFlowsChanged(changed: () => void): void {
  for (const event of ["nodes:add", "nodes:change", "nodes:remove", "flows:loaded"]) {
    RED.events.on(event, () => changed());
  }
}
