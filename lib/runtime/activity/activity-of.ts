import { ACTIVITY_TOPIC } from "../../shared/activity";
import { perRuntime } from "../node-red/per-runtime";
import { ActivityLog } from "./activity-log";

/** The activity log of one Node-RED. */
export const activityOf = perRuntime(
  (RED) => new ActivityLog(() => RED.comms.publish(ACTIVITY_TOPIC, true, false)),
);
