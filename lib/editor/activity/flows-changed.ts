/** Calls `changed` when nodes of the flows in the editor are other ones than before. */
export function onFlowsChanged(changed: () => void): void {
  for (const event of ["nodes:add", "nodes:change", "nodes:remove", "flows:loaded"]) {
    RED.events.on(event, () => changed());
  }
}
