import type { NodeAPI } from "node-red";
import type { Receiver } from "../../webhook/receiver";
import { FlowLifecycle } from "../node-red/flow-lifecycle";
import type { UnwrittenKeys } from "../store/store-ledger";

/** The state that a closed webhook leaves to the node that starts again with its id. */
export interface CachedWebhook {
  readonly unwritten: UnwrittenKeys;
  /** Holds the events that wait for the flow's decision; null where there are none. */
  readonly receiver: Receiver | null;
}

const cache = new Map<string, CachedWebhook>();

/** Keeps the state of a node until the flows run again. */
export function cacheWebhook(RED: NodeAPI, nodeId: string, webhook: CachedWebhook): void {
  cache.set(nodeId, webhook);
  const unwatch = FlowLifecycle.of(RED).onStarted(() => {
    if (cache.get(nodeId) === webhook) {
      cache.delete(nodeId);
    }
    unwatch();
  });
}

/** Takes the state of a node's predecessor out of the cache; null where there is none. */
export function takeCachedWebhook(nodeId: string): CachedWebhook | null {
  const webhook = cache.get(nodeId) ?? null;
  cache.delete(nodeId);
  return webhook;
}
