import type { ActivityEntry } from "../../shared/activity";
import type { EditedNode } from "../dialog/node-definition";

type NodeReference = Pick<ActivityEntry, "node" | "template">;

export type Scope = "all" | "flow" | "selected";
export const SCOPES: readonly Scope[] = ["all", "flow", "selected"];

/** The node of an entry, or its template in a subflow; null if it was deleted. */
export function nodeOf({ node, template }: NodeReference): EditedNode | null {
  return RED.nodes.node(node) ?? (template === null ? null : (RED.nodes.node(template) ?? null));
}

/** Id of the account of an entry, which may be about the account itself; blank where the editor knows neither. */
function accountOf(entry: NodeReference): string {
  const node = nodeOf(entry);
  return node?.type === "messaging-account" ? node.id : String(node?.account ?? "");
}

/** Whether an entry belongs to an account; an entry without an account belongs to each. */
export const belongsTo = (account: string, entry: NodeReference): boolean =>
  ["", account].includes(accountOf(entry));

export function reveal(reference: NodeReference): void {
  const node = nodeOf(reference);
  if (node !== null) {
    RED.view.reveal(node.id);
  }
}

/** Shows the node in the workspace, in whatever tab or subflow it is, and opens its dialog. */
export function openNode(reference: NodeReference): void {
  const node = nodeOf(reference);
  if (node === null) {
    return;
  }
  if (RED.nodes.getType(node.type)?.category === "config") {
    RED.editor.editConfig("", node.type, node.id);
    return;
  }
  RED.view.reveal(node.id);
  RED.editor.edit(node as Parameters<typeof RED.editor.edit>[0]);
}

/** A test for entries of the present scope; null if all entries are in it. */
export function inScope(scope: Scope): ((entry: NodeReference) => boolean) | null {
  if (scope === "all") {
    return null;
  }
  if (scope === "flow") {
    const flow = RED.workspaces.active() as unknown;
    return (entry) => nodeOf(entry)?.z === flow;
  }
  const { nodes = [] } = RED.view.selection() as { nodes?: readonly { id: string }[] };
  const ids = new Set(nodes.map(({ id }) => id));
  return (entry) => ids.has(nodeOf(entry)?.id ?? "");
}
