import type { WaitListener } from "./waits";

/** How many recipients the nodes of an account wait for, as their listeners hear it. */
export class OpenCounts {
  #counts = new Map<string, number>();

  constructor(private readonly listeners: ReadonlyMap<string, WaitListener>) {}

  /** All of them as the store has counted them. */
  set(counts: ReadonlyMap<string, number>): void {
    this.#counts = new Map(counts);
    for (const [node, listener] of this.listeners) {
      listener.counted(this.#counts.get(node) ?? 0);
    }
  }

  add(node: string, recipients: number): void {
    // What ends at once may be gone before it is known to have begun.
    const count = (this.#counts.get(node) ?? 0) + recipients;
    this.#counts.set(node, count);
    this.listeners.get(node)?.counted(Math.max(0, count));
  }
}
