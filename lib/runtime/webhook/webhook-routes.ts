import type { IncomingMessage, ServerResponse } from "node:http";
import type { NodeAPI } from "node-red";
import { pathKey } from "../../shared/webhook-path";
import { unavailable } from "../../webhook/answers";
import { FlowLifecycle } from "../node-red/flow-lifecycle";
import { findRouteConflict, type RouteLayer } from "./route-conflict";
import { mayBeAnsweredLater } from "./later-layers";

type Next = (error?: unknown) => void;
type Request = IncomingMessage & { originalUrl?: string; path?: string; _body?: boolean };
type Handler = (req: Request, res: ServerResponse, next: Next) => void;
type ErrorHandler = (error: unknown, req: Request, res: ServerResponse, next: Next) => void;

/** An Express application, as far as it concerns us. */
interface App {
  readonly parent?: App;
  readonly _router?: { stack: RouteLayer[] };
  path(): string;
  use(handler: Handler): unknown;
  all(path: RegExp, ...handlers: (Handler | Handler[] | ErrorHandler)[]): unknown;
}

/** Who wants the requests of a path. */
export interface Claimant {
  /** How the user knows the node. */
  readonly label: string;
  readonly handle: (req: IncomingMessage, res: ServerResponse) => void;
  /** A handler of the user's own, which runs before, failed. */
  readonly failed: (error: unknown, res: ServerResponse) => void;
  /** The path has become this one's, after it was another's. */
  readonly granted: () => void;
}

export interface Claim {
  /** Label of the node that has the path; null where this one has it. */
  readonly owner: string | null;
  /** @param returns the node comes back soon: until then its callers are asked for patience */
  release(returns?: boolean): void;
}

/** Scheme and host of a request in absolute form, as some proxies send it. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** The path of a request, as it came. */
const pathOf = (url: string): string => url.replace(ORIGIN, "").split("?", 1)[0] ?? "";

/** One request is asked for its path several times, and the next one is mostly for the same address. */
const last = { url: "", key: pathKey("") };

/** The path of a request, as it is compared. */
function keyOf(url: string): string {
  if (url !== last.url) {
    last.key = pathKey(pathOf(url));
    last.url = url;
  }
  return last.key;
}

/** The application that all others are mounted in. */
function rootOf(app: App): App {
  let root = app;
  while (root.parent !== undefined) {
    root = root.parent;
  }
  return root;
}

/**
 * The paths of all webhooks of one Node-RED: a live map behind one route, so that a redeploy leaves nothing
 * behind. A path belongs to whoever claimed it first; the next one gets it when that node goes.
 */
export class WebhookRoutes {
  static readonly #byApp = new WeakMap<object, WebhookRoutes>();

  readonly #claims = new Map<string, Claimant[]>();
  /** Paths whose nodes are being deployed anew, or are stopped. */
  readonly #resting = new Set<string>();
  readonly #app: App;
  readonly #adminApp: App | null;
  readonly #times: FlowLifecycle;

  private constructor(RED: NodeAPI, app: App, middleware: Handler[]) {
    this.#app = app;
    this.#adminApp = RED.httpAdmin ?? null;
    this.#times = FlowLifecycle.of(RED);
    // Not `post`: with it Express would say of every path, when asked by OPTIONS, that it takes POST.
    const other: Handler = (req, _res, next) =>
      next(req.method === "POST" && this.#isKnown(keyOf(req.url ?? "")) ? undefined : "route");
    // The node may have gone while a handler of the user's took its time.
    const serve: Handler = (req, res, next) => this.#serve(keyOf(req.url ?? ""), req, res, next);
    const fail: ErrorHandler = (error, req, res, next) => {
      const owner = this.#owner(keyOf(req.url ?? ""));
      return owner && !res.headersSent ? owner.failed(error, res) : next(error);
    };
    app.all(/.*/, other, ...middleware, serve, fail);
    const root = rootOf(app);
    this.#keepBodyUnread(root);
    this.#refuseOtherMethods(root);
  }

  /** The routes of a Node-RED, if any node has asked for them. */
  static find(RED: NodeAPI): WebhookRoutes | null {
    return WebhookRoutes.#byApp.get(RED.httpNode) ?? null;
  }

  /** The routes of a Node-RED; null where it serves no nodes (`httpNodeRoot: false`). */
  static of(RED: NodeAPI): WebhookRoutes | null {
    const app: App | undefined = RED.httpNode;
    if (RED.settings.httpNodeRoot === false || typeof app?.all !== "function") {
      return null;
    }
    let routes = WebhookRoutes.#byApp.get(app);
    if (routes === undefined) {
      const { httpNodeMiddleware } = RED.settings;
      const handlers = [httpNodeMiddleware].flat().filter((handler) => typeof handler === "function");
      routes = new WebhookRoutes(RED, app, handlers as Handler[]);
      WebhookRoutes.#byApp.set(app, routes);
    }
    return routes;
  }

  /** @param path as it stands below `httpNodeRoot` */
  claim(path: string, claimant: Claimant): Claim {
    const key = pathKey(path);
    this.#resting.delete(key);
    const claims = this.#claims.get(key) ?? [];
    this.#claims.set(key, claims);
    claims.push(claimant);
    const [first] = claims;
    return {
      owner: first === undefined || first === claimant ? null : first.label,
      release: (returns = false) => {
        const at = claims.indexOf(claimant);
        if (at < 0) {
          return;
        }
        claims.splice(at, 1);
        if (claims.length === 0 && this.#claims.get(key) === claims) {
          this.#claims.delete(key);
          if (returns) {
            this.#rest(key);
          }
        } else if (at === 0) {
          claims[0]?.granted();
        }
      },
    };
  }

  /** What else answers on a path: Node-RED's editor, or another node's route; null where nothing does. */
  conflict(path: string): "editor" | "node" | null {
    return findRouteConflict(this.#app, this.#adminApp, path);
  }

  /** Whether a path, as the server sees it, is a webhook's: `httpNodeRoot` is a part of it. */
  serves(pathname: string): boolean {
    return this.#keyBelowRoot(pathKey(pathname)) !== null;
  }

  /** Keeps a path until the flows start again: whoever has not come back by then is gone. */
  #rest(path: string): void {
    this.#resting.add(path);
    const forget = this.#times.onStarted(() => {
      this.#resting.delete(path);
      forget();
    });
  }

  #isKnown(path: string): boolean {
    return this.#claims.has(path) || this.#resting.has(path);
  }

  #owner(key: string): Claimant | undefined {
    return this.#claims.get(key)?.[0];
  }

  #serve(key: string, req: Request, res: ServerResponse, next: Next): void {
    const owner = this.#owner(key);
    if (owner) {
      owner.handle(req, res);
    } else if (this.#resting.has(key)) {
      unavailable(res);
    } else {
      next();
    }
  }

  /** The webhook's path that a request at the root of all applications asks for; null where it is none. */
  #knownKey(req: Request): string | null {
    return this.#keyBelowRoot(keyOf(req.originalUrl ?? req.url ?? ""));
  }

  #keyBelowRoot(whole: string): string | null {
    const base = pathKey(this.#app.path());
    const key = whole.startsWith(`${base}/`) ? whole.slice(base.length) : null;
    return key !== null && this.#isKnown(key) ? key : null;
  }

  /**
   * Where the admin app is mounted at `/` its parsers come first, and would read a webhook's body with limits and
   * error pages of their own. A mark that says "read already" in front of everything makes them pass by.
   */
  #keepBodyUnread(root: App): void {
    const mark: Handler = (req, _res, next) => {
      if (req.method === "POST" && this.#knownKey(req) !== null) {
        req._body = true;
      }
      next();
    };
    root.use(mark);
    const stack = root._router?.stack ?? [];
    const at = stack.findIndex(({ handle }) => handle === mark);
    if (at >= 0) {
      stack.unshift(...stack.splice(at, 1));
    }
  }

  /**
   * A path may have routes of others for other methods, so those pass a webhook by. What comes to the end of all
   * applications was for none of them, and is told that the path takes POST.
   */
  #refuseOtherMethods(root: App): void {
    const refuse: Handler = (req, res, next) => {
      const { method = "" } = req;
      const key = method === "POST" ? null : this.#knownKey(req);
      const path = pathOf(req.url ?? "");
      if (key === null || mayBeAnsweredLater(root._router?.stack ?? [], refuse, method, path)) {
        next();
      } else {
        this.#serve(key, req, res, next);
      }
    };
    root.use(refuse);
  }
}
