import { plainPath } from "../shared/webhook-path";

/** An entry of an Express application's list of handlers, as far as it concerns us. */
export interface RouteLayer {
  readonly handle: unknown;
  readonly regexp?: RegExp;
  readonly route?: { readonly path?: unknown; readonly methods?: Readonly<Record<string, boolean>> };
}

interface RoutedApp {
  readonly _router?: { readonly stack: readonly RouteLayer[] };
  path(): string;
}

/**
 * First segments of paths that Node-RED's admin app answers by itself. It mounts whole applications, whose routes
 * nobody can list from outside.
 */
const EDITOR_PATHS: ReadonlySet<string> = new Set(
  (
    "auth comms context core credentials debug diagnostics flow flows icons inject library locales messaging-account " +
    "nodes plugins projects red resources settings theme types vendor"
  ).split(" "),
);

const takes = (layer: RouteLayer, path: string): boolean =>
  typeof layer.route?.path === "string" &&
  (layer.route.methods?.post === true || layer.route.methods?._all === true) &&
  layer.regexp?.test(path) === true;

/**
 * Finds what answers a POST to a path besides webhooks: there are routes that would never see it again, or never
 * let a webhook see it.
 * @param path below the path of `nodes`, without a slash at its end
 */
export function findForeignRoute(
  nodes: RoutedApp,
  admin: RoutedApp | null,
  path: string,
): "editor" | "node" | null {
  if (admin !== null) {
    const root = plainPath(admin.path());
    const whole = plainPath(nodes.path()) + path;
    const rest = whole.startsWith(`${root}/`) ? whole.slice(root.length) : null;
    if (rest !== null && rest !== "") {
      const [, first = ""] = rest.split("/");
      if (
        EDITOR_PATHS.has(first.toLowerCase()) ||
        (admin._router?.stack ?? []).some((layer) => takes(layer, rest))
      ) {
        return "editor";
      }
    }
  }
  return (nodes._router?.stack ?? []).some((layer) => takes(layer, path)) ? "node" : null;
}
