import type { NodeAPI } from "node-red";

/** Creates a shared thing for each Node-RED, which survives deploys. */
export function perRuntime<Thing>(make: (RED: NodeAPI) => Thing): (RED: NodeAPI) => Thing {
  const byRuntime = new WeakMap<object, Thing>();
  return (RED) => {
    const found = byRuntime.get(RED.events) ?? make(RED);
    byRuntime.set(RED.events, found);
    return found;
  };
}
