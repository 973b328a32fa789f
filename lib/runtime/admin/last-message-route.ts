import type { NodeAPI } from "node-red";
import { LastMessage } from "../send/last-message";

/** Serves the last message of a send node to its dialog, with permission to deploy, since it may have personal data in it. */
export function serveLastMessages(RED: NodeAPI): void {
  // Without an admin app there is no editor.
  if (typeof RED.httpAdmin?.get !== "function") {
    return;
  }
  RED.httpAdmin.get("/messaging/last-message/:id", RED.auth.needsPermission("flows.write"), (req, res) => {
    res.set("cache-control", "no-store");
    res.json(LastMessage.of(String(req.params.id)));
  });
}
