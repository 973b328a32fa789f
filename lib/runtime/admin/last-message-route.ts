import type { NodeAPI } from "node-red";
import { addRoute } from "./add-route";
import { LastMessage } from "../send/last-message";

/** Serves the last message of a send node to its dialog, with permission to deploy, since it may have personal data in it. */
export function serveLastMessages(RED: NodeAPI): void {
  addRoute(RED, "get", "/messaging-account/last-message/:id", "flows.write", (req, res) => {
    res.set("cache-control", "no-store");
    res.json(LastMessage.of(String(req.params.id)));
  });
}
