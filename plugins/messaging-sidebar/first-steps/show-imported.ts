import { firstImported, type HistoryEvent, type Placed } from "./first-imported";
import { isOurNode } from "../../../lib/editor/dialog/our-nodes";

/**
 * Shows what somebody has imported: Node-RED leaves the tab of an import in the background. A flow without a tab hangs on the
 * mouse, where Node-RED selects it.
 */
export function showImported(): void {
  const added = new Set<string>();
  RED.events.on("flows:add", ({ id }: { readonly id: string }) => {
    added.add(id);
    if (added.size > 1) {
      return;
    }
    // The import is one run: its nodes come after the tab, and what can be undone after all of them. Flows that are loaded cannot.
    setTimeout(() => {
      const first = firstImported(
        RED.history.peek() as HistoryEvent | undefined,
        (node) => RED.nodes.node(node) as Placed | null | undefined,
        isOurNode,
      );
      // The latest that can be undone may be older than what was added.
      const isNew = first?.z !== undefined && added.has(first.z);
      added.clear();
      if (isNew) {
        RED.view.reveal(first.id, false);
        RED.view.select({ nodes: [first] } as never);
      }
    });
  });
}
