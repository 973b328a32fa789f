import type { NodeAPI } from "node-red";
import { perRuntime } from "./per-runtime";

interface FlowsEvent {
  /** "full", "flows" or "nodes". */
  readonly type?: string;
  /** A deploy stops the old flows with the object of the new ones; a plain stop names the started object. */
  readonly config?: object;
}

/** Registers one listener for all nodes, because Node-RED's event emitter warns of many. */
export class FlowLifecycle {
  static readonly of = perRuntime((RED) => new FlowLifecycle(RED));

  readonly #started = new Set<() => void>();
  readonly #stopping = new Set<() => void>();
  #partial = false;
  #deploying = false;
  #running = false;
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
      // With a missing node type the new flows do not start, and a stop that follows names them.
      this.#config = config ?? null;
      for (const listener of this.#stopping) {
        listener();
      }
    });
  }

  /** True if other flows keep running: Node-RED drops their messages to nodes in replacement until all nodes have closed. */
  get partial(): boolean {
    return this.#partial;
  }

  /** True from the start of a deploy until flows run again. False for a stop without restart: no successor follows. */
  get deploying(): boolean {
    return this.#deploying;
  }

  /** True if flows have started and no deploy or stop has begun since. */
  get running(): boolean {
    return this.#running;
  }

  onStarted(listener: () => void): () => void {
    this.#started.add(listener);
    return () => this.#started.delete(listener);
  }

  onStopping(listener: () => void): () => void {
    this.#stopping.add(listener);
    return () => this.#stopping.delete(listener);
  }
}
