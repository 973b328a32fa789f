import { enabledAccounts } from "../../../lib/editor/dialog/enabled-accounts";
import type { EditedNode, NodeDefinition } from "../../../lib/editor/dialog/node-definition";
import { excerpt } from "../../../lib/shared/excerpt";
import { sourceProperty } from "../../../lib/shared/fields/field-spec";
import { texts } from "./format";
import { tellApart } from "./tell-apart";

/** A node or an account that the user can choose. */
export type Choice = readonly [id: string, label: string];

/** The node of a message, or its template in a subflow; null if it was deleted. @param path ids with slashes */
export const findNode = (path: string): EditedNode | null =>
  RED.nodes.node(path) ?? RED.nodes.node(path.split("/").at(-1) ?? "") ?? null;

const toChoice = (node: EditedNode): Choice => [node.id, RED.utils.getNodeLabel(node, node.id)];

/** The accounts of the flows that are not disabled. */
export const getAccounts = (): readonly Choice[] => enabledAccounts().map(toChoice);

/** The name of an account; its id if the editor does not have it. */
export function accountLabel(account: string): string {
  const node = RED.nodes.node(account);
  return node ? toChoice(node)[1] : account;
}

/** Masks numbers: a label made of settings can contain a recipient's number. */
const maskNumbers = (label: string): string => label.replace(/(\+?\d{4})\d{2,}(\d{3})/g, "$1…$2");

/** Label of the node of a message. */
export function nodeLabel(path: string): string {
  if (path === "") {
    return texts("history.withoutNode");
  }
  const node = findNode(path);
  if (node === null) {
    return texts(path.includes("/") ? "history.inSubflow" : "history.gone");
  }
  const definition = RED.nodes.getType(node.type) as Partial<Pick<NodeDefinition, "ownLabel">> | undefined;
  return maskNumbers(definition?.ownLabel?.call(node) ?? RED.utils.getNodeLabel(node, node.id));
}

/** Properties with the text of a message, or of its template. */
const TEXTS = ["messageContent", "content", "textMessage", "templateName", "title"] as const;
/** Characters of a text that a label has. */
const MAX_TEXT = 24;

/** The start of the text that is typed into a node; blank if it comes from the message. */
function typedText(node: EditedNode): string {
  const name = TEXTS.find(
    (each) => node[sourceProperty(each)] === "str" && String(node[each] ?? "").trim() !== "",
  );
  return name === undefined ? "" : excerpt(String(node[name]).trim().replace(/\s+/g, " "), MAX_TEXT);
}

/** The send nodes of an account, except nodes inside subflows: the history has a path for each of their instances. */
export function getSenders(account: string): readonly Choice[] {
  const nodes = (RED.nodes.filterNodes({}) as readonly EditedNode[]).filter(
    (node) => node.account === account && node.type.endsWith("-send") && !RED.nodes.subflow(String(node.z)),
  );
  const labels = tellApart(
    nodes.map((node) => toChoice(node)[1]),
    (at) => {
      const tab = RED.nodes.workspace(String(nodes[at]?.z));
      return tab ? ` (${tab.label ?? ""})` : "";
    },
    (at) => {
      const text = typedText(nodes[at] as EditedNode);
      return text === "" ? "" : ` · ${text}`;
    },
  );
  return nodes
    .map(({ id }, at): Choice => [id, labels[at] ?? id])
    .sort(([, one], [, other]) => one.localeCompare(other));
}
