import type { NodeAPI } from "node-red";
import { refuseForeignPage } from "./refuse-foreign-page";

type Request = NodeAPI["httpAdmin"]["request"];
type Response = NodeAPI["httpAdmin"]["response"];

export type Permission = string | readonly string[];

const PREFIX = "/messaging-account";

/** Calls a function before a request is compared with the routes, so that it can add some. */
export function beforeRoutes(RED: NodeAPI, call: () => void): void {
  RED.httpAdmin?.use?.(PREFIX, (_req: Request, _res: Response, next: () => void) => {
    call();
    next();
  });
}

/** Adds an admin route, closed to other origins and to callers without the permission. Without an editor there is none. */
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
