import type { NodeAPI } from "node-red";

/** What Node-RED says when flows start or stop. */
interface FlowsEvent {
  /** "full", "flows" or "nodes". */
  readonly type?: string;
  /**
   * The flows. A deploy stops the old flows with the object of the new ones; a stop without a deploy names the object that was
   * started.
   */
  readonly config?: object;
}

/**
 * Reports when the flows of a Node-RED start and stop. Registers one listener for all nodes, since Node-RED's event emitter
 * warns of many.
 */
export class FlowLifecycle {
  static readonly #byRuntime = new WeakMap<object, FlowLifecycle>();

  readonly #started = new Set<() => void>();
  readonly #stopping = new Set<() => void>();
  #partial = false;
  #deploying = false;
  #running = false;
  /** Node-RED's object with the flows that were last seen to start or to replace others. */
  #config: object | null = null;

  private constructor(RED: NodeAPI) {
    RED.events.on("flows:started", ({ config }: FlowsEvent = {}) => {
      this.#partial = false;
      this.#deploying = false;
      this.#running = true;
      this.#config = config ?? null;
      for (const listener of this.#started) {
        listener();
      }
    });
    RED.events.on("flows:stopping", ({ type, config }: FlowsEvent = {}) => {
      this.#partial = type === "nodes" || type === "flows";
      this.#running = false;
      this.#deploying =
        this.#partial || (this.#config !== null && config !== undefined && config !== this.#config);
      // Where a node type is missing the new flows do not start, and a stop that follows names them.
      this.#config = config ?? null;
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

  /**
   * True from the begin of any deploy, a full one and "Restart flows" included, until the flows run again. False while the
   * process, or a user, stops the flows: then no node comes back.
   */
  get deploying(): boolean {
    return this.#deploying;
  }

  /** Whether the flows have started and no deploy or stop has begun since. */
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
