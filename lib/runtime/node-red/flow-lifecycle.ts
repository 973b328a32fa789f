import type { NodeAPI } from "node-red";

/**
 * When the flows of a Node-RED start and stop. Many nodes want to know, and its events have room for few listeners,
 * so there is one for all of them.
 */
export class FlowLifecycle {
  static readonly #byRuntime = new WeakMap<object, FlowLifecycle>();

  readonly #started = new Set<() => void>();
  readonly #stopping = new Set<() => void>();
  #partial = false;

  private constructor(RED: NodeAPI) {
    RED.events.on("flows:started", () => {
      this.#partial = false;
      for (const listener of this.#started) {
        listener();
      }
    });
    RED.events.on("flows:stopping", ({ type }: { type?: string } = {}) => {
      this.#partial = type === "nodes" || type === "flows";
      for (const listener of this.#stopping) {
        listener();
      }
    });
  }

  static of(RED: NodeAPI): FlowLifecycle {
    let found = FlowLifecycle.#byRuntime.get(RED.events);
    if (found === undefined) {
      found = new FlowLifecycle(RED);
      FlowLifecycle.#byRuntime.set(RED.events, found);
    }
    return found;
  }

  /**
   * True while a deploy of modified nodes or flows is under way: other flows run on, and what they send to a node that
   * is being replaced is dropped by Node-RED for as long as any node takes to close.
   */
  get partial(): boolean {
    return this.#partial;
  }

  /** Calls back after each start, of any part of the flows, until the function that is returned is called. */
  onStarted(listener: () => void): () => void {
    this.#started.add(listener);
    return () => this.#started.delete(listener);
  }

  /** The same before each stop. */
  onStopping(listener: () => void): () => void {
    this.#stopping.add(listener);
    return () => this.#stopping.delete(listener);
  }
}
