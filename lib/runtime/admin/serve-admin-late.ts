import type { NodeAPI } from "node-red";
import type { AcquireSimulator } from "../account/simulator-link";
import { beforeRoutes } from "./add-route";

/** Adds the routes at the first request, so that Node-RED does not load this package without its nodes. */
export function serveAdminLate(RED: NodeAPI, acquireSimulator: AcquireSimulator, prepare: () => void): void {
  let added = false;
  beforeRoutes(RED, () => {
    if (added) return;
    added = true;
    prepare();
    const { serveAdmin } = require("./serve-admin") as typeof import("./serve-admin");
    serveAdmin(RED, acquireSimulator);
  });
}
