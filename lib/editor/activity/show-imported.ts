import { firstImported, type HistoryEvent, type Placed } from "./first-imported";
import { isOurNode } from "./our-nodes";

/**
 * Shows what somebody has imported: Node-RED leaves the tab of an import in the background. A flow without a tab hangs on the
 * mouse, where Node-RED selects it.
 */
export function showImported(): void {
  let waits = false;
  RED.events.on("flows:add", () => {
    if (waits) {
      return;
    }
    waits = true;
    // The import is one run: its nodes come after the tab, and what can be undone after all of them. Flows that are loaded cannot.
    setTimeout(() => {
      waits = false;
      const first = firstImported(
        RED.history.peek() as HistoryEvent | undefined,
        (id) => RED.nodes.node(id) as Placed | null | undefined,
        isOurNode,
      );
      if (first !== undefined) {
        RED.view.reveal(first.id, false);
        RED.view.select({ nodes: [first] } as never);
      }
    });
  });
}
