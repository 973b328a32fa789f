import type { NodeAPI } from "node-red";
import { ACTIVITY_TOPIC } from "../../shared/activity";
import { ActivityLog } from "./activity-log";

const byRuntime = new WeakMap<object, ActivityLog>();

/** The log of one Node-RED: it outlives every deploy, and all nodes of this package write into the same one. */
export function activityOf(RED: NodeAPI): ActivityLog {
  let found = byRuntime.get(RED.events);
  if (found === undefined) {
    found = new ActivityLog((update) => RED.comms.publish(ACTIVITY_TOPIC, update, false));
    byRuntime.set(RED.events, found);
  }
  return found;
}
