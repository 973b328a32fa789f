import type { NodeAPI } from "node-red";
import type { MemoryState } from "../../webhook/duplicate-memory";
import type { Receiver } from "../../webhook/receiver";
import { FlowLifecycle } from "../node-red/flow-lifecycle";

/** What a webhook leaves to the node that comes back with its id. */
export interface KeptWebhook {
  readonly memory: MemoryState;
  /** Holds events that the flow has yet to decide about; null where there are none. */
  readonly receiver: Receiver | null;
  /** The write to the context store that is under way, after which the successor may read. */
  readonly written: Promise<void> | null;
}

const kept = new Map<string, KeptWebhook>();

/**
 * Keeps what a node knows over a redeploy. Where Node-RED has no context storage configured, as it comes, it clears
 * the context of every node that is restarted, and with it what a context store is trusted with.
 * @param forgotten called where no node has taken it by the time the flows run again
 */
export function keepWebhook(
  RED: NodeAPI,
  nodeId: string,
  webhook: KeptWebhook,
  forgotten: () => void = () => {},
): void {
  kept.set(nodeId, webhook);
  const forget = FlowLifecycle.of(RED).onStarted(() => {
    if (kept.get(nodeId) === webhook) {
      kept.delete(nodeId);
      forgotten();
    }
    forget();
  });
}

/** What the predecessor of a node knew; null where there is none. */
export function takeWebhook(nodeId: string): KeptWebhook | null {
  const webhook = kept.get(nodeId) ?? null;
  kept.delete(nodeId);
  return webhook;
}
