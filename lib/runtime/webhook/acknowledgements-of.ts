import type { NodeAPI } from "node-red";
import { Acknowledgements } from "../../webhook/acknowledgements";

const byRuntime = new WeakMap<object, Acknowledgements>();

/** The events of one Node-RED that wait for their flows: webhook-in and webhook-ack meet here. */
export function acknowledgementsOf(RED: NodeAPI): Acknowledgements {
  const runtime = RED.events;
  let found = byRuntime.get(runtime);
  if (found === undefined) {
    found = new Acknowledgements();
    byRuntime.set(runtime, found);
  }
  return found;
}
