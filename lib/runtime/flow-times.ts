import type { NodeAPI } from "node-red";

/**
 * When the flows of a Node-RED start and stop. Many nodes want to know, and its events have room for few listeners,
 * so there is one for all of them.
 */
export class FlowTimes {
  static readonly #byRuntime = new WeakMap<object, FlowTimes>();

  readonly #started = new Set<() => void>();
  readonly #stopping = new Set<() => void>();

  private constructor(RED: NodeAPI) {
    const tell = (listeners: ReadonlySet<() => void>) => (): void => {
      for (const listener of listeners) {
        listener();
      }
    };
    RED.events.on("flows:started", tell(this.#started));
    RED.events.on("flows:stopping", tell(this.#stopping));
  }

  static of(RED: NodeAPI): FlowTimes {
    let found = FlowTimes.#byRuntime.get(RED.events);
    if (found === undefined) {
      found = new FlowTimes(RED);
      FlowTimes.#byRuntime.set(RED.events, found);
    }
    return found;
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
