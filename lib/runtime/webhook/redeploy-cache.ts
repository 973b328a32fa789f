import type { NodeAPI } from "node-red";
import type { Receiver } from "../../webhook/receiver";
import { FlowLifecycle } from "../node-red/flow-lifecycle";
import type { UnwrittenKeys } from "../store/store-ledger";

export interface CachedWebhook {
  readonly unwritten: UnwrittenKeys;
  /** Null without events that wait for the flow's decision. */
  readonly receiver: Receiver | null;
}

const cache = new Map<string, CachedWebhook>();

/** Stores the state of a node until the flows run again. */
export function cacheWebhook(RED: NodeAPI, nodeId: string, webhook: CachedWebhook): void {
  cache.set(nodeId, webhook);
  const unwatch = FlowLifecycle.of(RED).onStarted(() => {
    if (cache.get(nodeId) === webhook) {
      cache.delete(nodeId);
    }
    unwatch();
  });
}

export function takeCachedWebhook(nodeId: string): CachedWebhook | null {
  const webhook = cache.get(nodeId) ?? null;
  cache.delete(nodeId);
  return webhook;
}
