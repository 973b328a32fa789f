import { pathKey } from "../../shared/webhook-path";

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

/** Routes are typed with or without escapes. Express lets only those with escapes meet a request; both are meant. */
const takes = (layer: RouteLayer, path: string): boolean =>
  typeof layer.route?.path === "string" &&
  (layer.route.methods?.post === true || layer.route.methods?._all === true) &&
  (layer.regexp?.test(path) === true || layer.regexp?.test(decodeURI(path)) === true);

/**
 * Finds what answers a POST to a path besides webhooks: there are routes that would never see it again, or never
 * let a webhook see it. Compares as Express does: without regard to case and to a slash at the end.
 * @param path below the path of `nodes`
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
