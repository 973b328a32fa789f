import { INITIAL_VALUES, isNodeType } from "../../shared/fields/initial-values";
import type { EditedNode } from "./node-definition";

/**
 * Gives each node of this package that comes into the editor the initial values of the properties that it lacks, as it runs with them:
 * before labels, checks and dialogs read them. The node does not count as changed.
 */
export function completeNodes(): void {
  RED.events.on("nodes:add", (added: EditedNode & { readonly __node__?: EditedNode }) => {
    if (isNodeType(added.type)) {
      // The editor refuses to change nodes of a locked flow, except the object behind them.
      const node = added.__node__ ?? added;
      for (const [name, value] of Object.entries(INITIAL_VALUES[added.type])) {
        node[name] ??= structuredClone(value);
      }
    }
  });
}
