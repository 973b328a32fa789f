import { pathKey } from "../../shared/network/webhook-path";

/** An entry in the handler list of an Express application; only the properties used here. */
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
 * First path segments that Node-RED's admin app answers itself. It mounts whole applications, whose routes cannot be
 * listed from outside.
 */
const EDITOR_PATHS: ReadonlySet<string> = new Set(
  (
    "auth comms context core credentials debug diagnostics flow flows icons inject library locales messaging-account " +
    "nodes plugins projects red resources settings theme types vendor"
  ).split(" "),
);

/** Users write routes with or without percent-encoding. Both count, though Express matches only encoded ones. */
const takes = (layer: RouteLayer, path: string): boolean =>
  typeof layer.route?.path === "string" &&
  (layer.route.methods?.post === true || layer.route.methods?._all === true) &&
  (layer.regexp?.test(path) === true || layer.regexp?.test(decodeURI(path)) === true);

/**
 * Finds another route that answers a POST to a path. Such a route and a webhook would take requests from each other.
 * Compares like Express: ignores case and a trailing slash.
 * @param path path below that of `nodes`
 */
export function findRouteConflict(
  nodes: RoutedApp,
  admin: RoutedApp | null,
  path: string,
): "editor" | "node" | null {
  const below = pathKey(path);
  if (admin !== null) {
    const root = pathKey(admin.path());
    const whole = pathKey(nodes.path()) + below;
    const rest = whole.startsWith(`${root}/`) ? whole.slice(root.length) : null;
    if (rest !== null && rest !== "") {
      const [, first = ""] = rest.split("/");
      if (EDITOR_PATHS.has(first) || (admin._router?.stack ?? []).some((layer) => takes(layer, rest))) {
        return "editor";
      }
    }
  }
  return (nodes._router?.stack ?? []).some((layer) => takes(layer, below)) ? "node" : null;
}
