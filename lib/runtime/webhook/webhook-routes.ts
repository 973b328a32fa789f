import type { IncomingMessage, ServerResponse } from "node:http";
import type { NodeAPI } from "node-red";
import { SetupError } from "../../shared/messaging-error";
import { pathKey } from "../../shared/network/webhook-path";
import { say } from "../../texts/say";
import { unavailable } from "../../webhook/responses";
import { FlowLifecycle } from "../node-red/flow-lifecycle";

type Next = (error?: unknown) => void;
type Request = IncomingMessage & { originalUrl?: string; _body?: boolean };
type Handler = (req: Request, res: ServerResponse, next: Next) => void;
type ErrorHandler = (error: unknown, req: Request, res: ServerResponse, next: Next) => void;

interface App {
  readonly parent?: App;
  readonly _router?: { readonly stack?: { readonly handle: unknown }[] };
  path(): string;
  use(handler: Handler): unknown;
  all(path: RegExp, ...handlers: (Handler | Handler[] | ErrorHandler)[]): unknown;
}

export interface Claimant {
  readonly label: string;
  readonly handle: (req: IncomingMessage, res: ServerResponse) => void;
  /** Called if a handler of `httpNodeMiddleware`, which runs first, fails. */
  readonly failed: (error: unknown, res: ServerResponse) => void;
  /** The claimant owns the path because the previous owner released it. */
  readonly granted: () => void;
}

export interface Claim {
  /** Null if the claimant itself owns the path. */
  readonly owner: string | null;
  /** @param returns true if the node restarts soon; its callers get 503 until then */
  release(returns?: boolean): void;
}

const EDITOR_PATHS: ReadonlySet<string> = new Set(
  (
    "auth comms context core credentials debug diagnostics flow flows icons inject library locales messaging-account " +
    "nodes plugins projects red resources settings theme types vendor"
  ).split(" "),
);

/** Scheme and host of a request target in absolute form, which some proxies send. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

const toKey = (url: string): string => pathKey(url.replace(ORIGIN, "").split("?", 1)[0] ?? "");

function getRoot(app: App): App {
  let root = app;
  while (root.parent !== undefined) {
    root = root.parent;
  }
  return root;
}

/** One Express route with a map of paths, so that a redeploy leaves no stale route. The first claimant owns a path. */
export class WebhookRoutes {
  static readonly #byApp = new WeakMap<object, WebhookRoutes>();

  readonly #claims = new Map<string, Claimant[]>();
  readonly #redeploying = new Set<string>();
  readonly #app: App;
  readonly #adminApp: App | null;
  readonly #lifecycle: FlowLifecycle;
  readonly #keepsBodiesUnread: boolean;

  private constructor(RED: NodeAPI, app: App, middleware: Handler[]) {
    this.#app = app;
    this.#adminApp = RED.httpAdmin ?? null;
    this.#lifecycle = FlowLifecycle.of(RED);
    // Not `post`: Express would then answer OPTIONS with POST for every path.
    const other: Handler = (req, _res, next) =>
      next(req.method === "POST" && this.#isKnown(toKey(req.url ?? "")) ? undefined : "route");
    // The node may have closed while a handler of `httpNodeMiddleware` ran.
    const serve: Handler = (req, res, next) => this.#serve(toKey(req.url ?? ""), req, res, next);
    const fail: ErrorHandler = (error, req, res, next) => {
      const owner = this.#owner(toKey(req.url ?? ""));
      return owner && !res.headersSent ? owner.failed(error, res) : next(error);
    };
    app.all(/.*/, other, ...middleware, serve, fail);
    this.#keepsBodiesUnread = this.#keepBodyUnread(getRoot(app));
  }

  static find(RED: NodeAPI): WebhookRoutes | null {
    return WebhookRoutes.#byApp.get(RED.httpNode) ?? null;
  }

  /** @throws SetupError NO_HTTP, UNSUPPORTED_EXPRESS */
  static of(RED: NodeAPI): WebhookRoutes {
    const app: App | undefined = RED.httpNode;
    if (RED.settings.httpNodeRoot === false || typeof app?.all !== "function") {
      throw new SetupError("NO_HTTP", say("webhook.NO_HTTP"));
    }
    let routes = WebhookRoutes.#byApp.get(app);
    if (routes === undefined) {
      const { httpNodeMiddleware } = RED.settings;
      const handlers = [httpNodeMiddleware].flat().filter((handler) => typeof handler === "function");
      routes = new WebhookRoutes(RED, app, handlers as Handler[]);
      WebhookRoutes.#byApp.set(app, routes);
    }
    if (!routes.#keepsBodiesUnread) {
      throw new SetupError("UNSUPPORTED_EXPRESS", say("webhook.UNSUPPORTED_EXPRESS"));
    }
    return routes;
  }

  /** @throws SetupError PATH_TAKEN if the path belongs to the editor, whose requests would lose their bodies */
  claim(path: string, claimant: Claimant): Claim {
    const key = pathKey(path);
    if (this.#isEditorPath(key)) {
      throw new SetupError("PATH_TAKEN", say("webhook.PATH_TAKEN.editor", { path }));
    }
    this.#redeploying.delete(key);
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
            this.#awaitReturn(key);
          }
        } else if (at === 0) {
          claims[0]?.granted();
        }
      },
    };
  }

  serves(pathname: string): boolean {
    return this.#keyBelowRoot(pathKey(pathname)) !== null;
  }

  /** Reserves a path until the flows start. A node that has not claimed it by then does not return. */
  #awaitReturn(path: string): void {
    this.#redeploying.add(path);
    const forget = this.#lifecycle.onStarted(() => {
      this.#redeploying.delete(path);
      forget();
    });
  }

  #isEditorPath(key: string): boolean {
    if (this.#adminApp === null) {
      return false;
    }
    const root = pathKey(this.#adminApp.path());
    const whole = pathKey(this.#app.path()) + key;
    return whole.startsWith(`${root}/`) && EDITOR_PATHS.has(whole.slice(root.length).split("/")[1] ?? "");
  }

  #isKnown(path: string): boolean {
    return this.#claims.has(path) || this.#redeploying.has(path);
  }

  #owner(key: string): Claimant | undefined {
    return this.#claims.get(key)?.[0];
  }

  #serve(key: string, req: Request, res: ServerResponse, next: Next): void {
    const owner = this.#owner(key);
    if (owner) {
      owner.handle(req, res);
    } else if (this.#redeploying.has(key)) {
      unavailable(res);
    } else {
      next();
    }
  }

  #keyBelowRoot(whole: string): string | null {
    const base = pathKey(this.#app.path());
    const key = whole.startsWith(`${base}/`) ? whole.slice(base.length) : null;
    return key !== null && this.#isKnown(key) ? key : null;
  }

  /** Marks a webhook's body as read, so that an admin app at `/` does not parse it. @returns false for an unknown Express */
  #keepBodyUnread(root: App): boolean {
    const mark: Handler = (req, _res, next) => {
      if (req.method === "POST" && this.#keyBelowRoot(toKey(req.originalUrl ?? req.url ?? "")) !== null) {
        req._body = true;
      }
      next();
    };
    root.use(mark);
    const stack = root._router?.stack;
    const at = stack?.findIndex(({ handle }) => handle === mark) ?? -1;
    if (stack === undefined || at < 0) {
      return false;
    }
    stack.unshift(...stack.splice(at, 1));
    return true;
  }
}
