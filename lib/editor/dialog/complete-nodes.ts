import type { EditedNode, NodeDefinition } from "./node-definition";
import { isOurNode } from "./our-nodes";

/**
 * Gives each added node of this package the initial values of the properties that it lacks, before labels, checks and dialogs read them.
 * The node does not count as changed.
 */
export function completeNodes(): void {
  RED.events.on("nodes:add", (added: EditedNode & { readonly __node__?: EditedNode }) => {
    if (isOurNode(added.type)) {
      const { defaults } = RED.nodes.getType(added.type) as unknown as NodeDefinition;
      // The editor refuses to change nodes of a locked flow, except the object behind them.
      const node = added.__node__ ?? added;
      for (const [name, { value }] of Object.entries(defaults)) {
        node[name] ??= structuredClone(value);
      }
    }
  });
}
