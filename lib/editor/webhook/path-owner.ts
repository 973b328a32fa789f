import { pathKey, webhookPath } from "../../shared/webhook-path";

/** Any node of the editor, as far as it concerns paths. */
export interface PathNode {
  readonly id: string;
  readonly type: string;
  readonly name?: unknown;
  /** Disabled. */
  readonly d?: boolean;
  readonly path?: unknown;
}

/** Another webhook that has the path of this one; null where none has. Paths are compared as the runtime does. */
export function findPathOwner(typed: string, nodeId: string, nodes: readonly PathNode[]): PathNode | null {
  const own = pathKey(webhookPath(typed, nodeId));
  const owner = nodes.find(
    ({ id, type, d, path }) =>
      type === "webhook-in" &&
      id !== nodeId &&
      !d &&
      pathKey(webhookPath(typeof path === "string" ? path : "", id)) === own,
  );
  return owner ?? null;
}
