import type { NodeAPI } from "node-red";
import { refuseForeignPage } from "./refuse-foreign-page";

type Request = NodeAPI["httpAdmin"]["request"];
type Response = NodeAPI["httpAdmin"]["response"];

/** What Node-RED asks of a caller: one permission, or all of several. */
export type Permission = string | readonly string[];

/** What the paths of all routes begin with. */
const PREFIX = "/messaging-account";

/** Calls a function before a request that may be for a route is compared with the routes. It may add some then. */
export function beforeRoutes(RED: NodeAPI, call: () => void): void {
  RED.httpAdmin?.use?.(PREFIX, (_req: Request, _res: Response, next: () => void) => {
    call();
    next();
  });
}

/**
 * Adds a route to Node-RED's admin app, the only way in which this package does. It is closed to pages of other origins and to callers
 * without the permission. Without an admin app there is no editor, and nothing is added.
 */
export function addRoute(
  RED: NodeAPI,
  method: "get" | "post" | "delete",
  path: string,
  permission: Permission,
  answer: (req: Request, res: Response) => void,
): void {
  if (typeof RED.httpAdmin?.[method] === "function") {
    const permitted = RED.auth.needsPermission(permission as string);
    RED.httpAdmin[method](path, refuseForeignPage(RED), permitted, answer);
  }
}
