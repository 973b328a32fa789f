import type { IncomingMessage, ServerResponse } from "node:http";
import type { NodeAPI } from "node-red";
import { plainPath } from "../shared/webhook-path";
import { unavailable } from "../webhook/answers";
import { FlowTimes } from "./flow-times";
import { findForeignRoute, type RouteLayer } from "./foreign-route";

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

/** One request is asked for its path several times, and the next one is mostly for the same address. */
const last = { url: "", path: plainPath("") };

function pathOf(url: string): string {
  if (url !== last.url) {
    last.path = plainPath(url.split("?", 1)[0] ?? "");
    last.url = url;
  }
  return last.path;
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
  readonly #times: FlowTimes;

  private constructor(RED: NodeAPI, app: App, middleware: Handler[]) {
    this.#app = app;
    this.#adminApp = (RED.httpAdmin as unknown as App | undefined) ?? null;
    this.#times = FlowTimes.of(RED);
    const other: Handler = (req, _res, next) =>
      next(this.#isKnown(pathOf(req.url ?? "")) ? undefined : "route");
    const serve: Handler = (req, res, next) => {
      // The node may have gone while a handler of the user's took its time.
      const owner = this.#owner(req);
      if (owner) {
        owner.handle(req, res);
      } else if (this.#resting.has(pathOf(req.url ?? ""))) {
        unavailable(res);
      } else {
        next();
      }
    };
    const fail: ErrorHandler = (error, req, res, next) => {
      const owner = this.#owner(req);
      return owner && !res.headersSent ? owner.failed(error, res) : next(error);
    };
    app.all(/.*/, other, ...middleware, serve, fail);
    this.#keepBodyUnread();
  }

  /** The routes of a Node-RED, if any node has asked for them. */
  static find(RED: NodeAPI): WebhookRoutes | null {
    return WebhookRoutes.#byApp.get(RED.httpNode as unknown as App) ?? null;
  }

  /** The routes of a Node-RED; null where it serves no nodes (`httpNodeRoot: false`). */
  static of(RED: NodeAPI): WebhookRoutes | null {
    const app = RED.httpNode as unknown as App | undefined;
    if (RED.settings.httpNodeRoot === (false as never) || typeof app?.all !== "function") {
      return null;
    }
    let routes = WebhookRoutes.#byApp.get(app);
    if (routes === undefined) {
      const { httpNodeMiddleware } = RED.settings as { httpNodeMiddleware?: unknown };
      const handlers = [httpNodeMiddleware].flat().filter((handler) => typeof handler === "function");
      routes = new WebhookRoutes(RED, app, handlers as Handler[]);
      WebhookRoutes.#byApp.set(app, routes);
    }
    return routes;
  }

  /** @param path as it stands below `httpNodeRoot` */
  claim(path: string, claimant: Claimant): Claim {
    const key = plainPath(path);
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
    const below = plainPath(path);
    return findForeignRoute(this.#app, this.#adminApp, below);
  }

  /** Whether a path, as the server sees it, is a webhook's: `httpNodeRoot` is a part of it. */
  serves(pathname: string): boolean {
    return this.#servesPath(plainPath(pathname));
  }

  #servesPath(path: string): boolean {
    const base = plainPath(this.#app.path());
    return path.startsWith(`${base}/`) && this.#isKnown(path.slice(base.length));
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

  #owner(req: Request): Claimant | undefined {
    return this.#claims.get(pathOf(req.url ?? ""))?.[0];
  }

  /**
   * Where the admin app is mounted at `/` its parsers come first, and would read a webhook's body with limits and
   * error pages of their own. A mark that says "read already" in front of everything makes them pass by.
   */
  #keepBodyUnread(): void {
    let root = this.#app;
    while (root.parent !== undefined) {
      root = root.parent;
    }
    const mark: Handler = (req, _res, next) => {
      if (this.#servesPath(pathOf(req.originalUrl ?? req.url ?? ""))) {
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
}
