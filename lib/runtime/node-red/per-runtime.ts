import type { NodeAPI } from "node-red";

/** Makes something once for each Node-RED: all nodes share it, and it survives deploys. */
export function perRuntime<Thing>(make: (RED: NodeAPI) => Thing): (RED: NodeAPI) => Thing {
  const byRuntime = new WeakMap<object, Thing>();
  return (RED) => {
    const found = byRuntime.get(RED.events) ?? make(RED);
    byRuntime.set(RED.events, found);
    return found;
  };
}
