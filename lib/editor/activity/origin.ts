import type { ActivityEntry } from "../../shared/activity";
import type { EditedNode } from "../dialog/node-definition";

type Origin = Pick<ActivityEntry, "node" | "template">;

/** Which nodes the user wants to see. */
export type Scope = "all" | "flow" | "selected";
export const SCOPES: readonly Scope[] = ["all", "flow", "selected"];

/** The node that an entry comes from, or its template in a subflow; null when it is gone. */
export function nodeOf({ node, template }: Origin): EditedNode | null {
  return RED.nodes.node(node) ?? (template === null ? null : (RED.nodes.node(template) ?? null));
}

/** Shows the node in the workspace. */
export function reveal(origin: Origin): void {
  const node = nodeOf(origin);
  if (node !== null) {
    RED.view.reveal(node.id);
  }
}

/** A test for entries of the scope as it is now; null where every entry is in it. */
export function inScope(scope: Scope): ((entry: Origin) => boolean) | null {
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
