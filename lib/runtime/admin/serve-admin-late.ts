import type { NodeAPI } from "node-red";
import type { AcquireSimulator } from "../account/simulator-link";
import { beforeRoutes } from "./add-route";

/**
 * Adds the routes of this package to Node-RED's admin app when one of them is asked for: until then a Node-RED without nodes of this package
 * does not load what they need.
 */
export function serveAdminLate(RED: NodeAPI, acquireSimulator: AcquireSimulator): void {
  let added = false;
  beforeRoutes(RED, () => {
    if (added) return;
    added = true;
    const { serveAdmin } = require("./serve-admin") as typeof import("./serve-admin");
    serveAdmin(RED, acquireSimulator);
  });
}
