import type { NodeAPI } from "node-red";

/**
 * Reports when the flows of a Node-RED start and stop. Registers one listener for all nodes, since Node-RED's event emitter
 * warns of many.
 */
export class FlowLifecycle {
  static readonly #byRuntime = new WeakMap<object, FlowLifecycle>();

  readonly #started = new Set<() => void>();
  readonly #stopping = new Set<() => void>();
  #partial = false;
  #running = false;

  private constructor(RED: NodeAPI) {
    RED.events.on("flows:started", () => {
      this.#partial = false;
      this.#running = true;
      for (const listener of this.#started) {
        listener();
      }
    });
    RED.events.on("flows:stopping", ({ type }: { type?: string } = {}) => {
      this.#partial = type === "nodes" || type === "flows";
      this.#running = false;
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
   * True during a deploy of modified nodes or flows: other flows run on, and Node-RED drops their messages to nodes that are
   * being replaced until every node has closed.
   */
  get partial(): boolean {
    return this.#partial;
  }

  /** True from the start of flows until flows are stopped, for a deploy for example. */
  get running(): boolean {
    return this.#running;
  }

  /** Calls the listener after each start of any flows. @returns function that removes the listener */
  onStarted(listener: () => void): () => void {
    this.#started.add(listener);
    return () => this.#started.delete(listener);
  }

  /** Calls the listener before each stop of any flows. @returns function that removes the listener */
  onStopping(listener: () => void): () => void {
    this.#stopping.add(listener);
    return () => this.#stopping.delete(listener);
  }
}
