import type { NodeAPI } from "node-red";
import { Acknowledgements } from "../../webhook/acknowledgements";

const byRuntime = new WeakMap<object, Acknowledgements>();

/** The events of one Node-RED that wait for a decision of the flow. Shared by all webhook-in and webhook-ack nodes. */
export function acknowledgementsOf(RED: NodeAPI): Acknowledgements {
  const runtime = RED.events;
  let found = byRuntime.get(runtime);
  if (found === undefined) {
    found = new Acknowledgements();
    byRuntime.set(runtime, found);
  }
  return found;
}
