import { pathKey, webhookPath } from "../../shared/network/webhook-path";

export interface PathNode {
  readonly id: string;
  readonly type: string;
  readonly name?: unknown;
  readonly d?: boolean;
  readonly path?: unknown;
}

/** Compares paths as the runtime does. */
export function findPathOwner(typed: string, nodeId: string, nodes: readonly PathNode[]): PathNode | null {
  const own = pathKey(webhookPath(typed, nodeId));
  const owner = nodes.find(
    ({ id, type, d, path }) =>
      type === "messaging-webhook-in" &&
      id !== nodeId &&
      !d &&
      pathKey(webhookPath(typeof path === "string" ? path : "", id)) === own,
  );
  return owner ?? null;
}
