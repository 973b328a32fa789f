import type { NodeAPI } from "node-red";
import { ACTIVITY_PATH } from "../../shared/activity";
import { activityOf } from "../activity/activity-of";

/**
 * Serves the activity log to the editor. GET returns the log and starts published updates for a while; with `epoch` and
 * `after` of an earlier response it returns only newer entries. DELETE clears the log, with permission to deploy.
 */
export function serveActivity(RED: NodeAPI): void {
  // Without an admin app there is no editor.
  if (typeof RED.httpAdmin?.get !== "function") {
    return;
  }
  const log = activityOf(RED);
  const path = `/${ACTIVITY_PATH}`;
  RED.httpAdmin.get(path, RED.auth.needsPermission("flows.read"), (req, res) => {
    const { epoch, after } = req.query;
    const known = Number(after);
    res.set("cache-control", "no-store");
    res.json(
      log.watch(typeof epoch === "string" ? epoch : "", Number.isSafeInteger(known) && known > 0 ? known : 0),
    );
  });
  RED.httpAdmin.delete(path, RED.auth.needsPermission("flows.write"), (_req, res) => {
    log.clear();
    res.status(204).end();
  });
}
