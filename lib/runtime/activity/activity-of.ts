import type { NodeAPI } from "node-red";
import { ACTIVITY_TOPIC } from "../../shared/activity";
import { ActivityLog } from "./activity-log";

const byRuntime = new WeakMap<object, ActivityLog>();

/** The activity log of one Node-RED. All nodes of this package share it, and it survives deploys. */
export function activityOf(RED: NodeAPI): ActivityLog {
  let found = byRuntime.get(RED.events);
  if (found === undefined) {
    found = new ActivityLog(() => RED.comms.publish(ACTIVITY_TOPIC, true, false));
    byRuntime.set(RED.events, found);
  }
  return found;
}
