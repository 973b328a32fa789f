import { INITIAL_VALUES, isNodeType } from "../../shared/fields/initial-values";
import type { EditedNode } from "./node-definition";

/** Adds missing properties to nodes as the runtime does, before labels and checks read them. Marks no node as changed. */
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
