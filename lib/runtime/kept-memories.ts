import type { NodeAPI } from "node-red";
import type { MemoryState } from "../webhook/duplicate-memory";
import { FlowTimes } from "./flow-times";

const kept = new Map<string, MemoryState>();

/**
 * Keeps what a node knows over a redeploy. Where Node-RED has no context storage configured, as it comes, it clears
 * the context of every node that is restarted, and with it what a context store is trusted with.
 */
export function keepMemory(RED: NodeAPI, nodeId: string, state: MemoryState): void {
  kept.set(nodeId, state);
  // Whoever has not come back by then is gone.
  const forget = FlowTimes.of(RED).onStarted(() => {
    kept.delete(nodeId);
    forget();
  });
}

/** What the predecessor of a node knew; null where there is none. */
export function takeMemory(nodeId: string): MemoryState | null {
  const state = kept.get(nodeId) ?? null;
  kept.delete(nodeId);
  return state;
}
