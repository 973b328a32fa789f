import type { Node, NodeAPI, NodeMessage } from "node-red";
import { FlowLifecycle } from "./flow-lifecycle";

type PreRouteEvent = Parameters<NodeAPI["hooks"]["trigger"]>[1];

/** @param successor the node that came back in the place of the closed one; null where there is none */
export type Settle = (successor: Node | null) => void;

/** A closed node, and what came for it before its successor was there. */
interface Pending {
  readonly node: Node;
  readonly settle: Settle;
  readonly messages: NodeMessage[];
  /** Further messages, for which there was no room. */
  dropped: number;
}

const HOOK = "preRoute.messaging-redeploy";
const MOST_HELD = 10_000;
/** ms after which flows that do not start, for a node type is missing, are no longer waited for. */
const PATIENCE = 60_000;

/** Where a node stands in the flows. Inside a subflow its id is a new one after each deploy, its path is not. */
const placeOf = (node: Node): string => node._path ?? node.id;

/**
 * Hands over from a node that closes in a deploy of modified nodes or flows to the one that comes back in its place.
 * Until then Node-RED drops what other, running flows send to the node, without a word: here it is held back.
 */
export class RedeployHandover {
  static readonly #byRuntime = new WeakMap<object, RedeployHandover>();

  /** By place. */
  readonly #pending = new Map<string, Pending>();
  readonly #arrived = new Map<string, Node>();
  #patience: NodeJS.Timeout | null = null;

  private constructor(private readonly RED: NodeAPI) {
    const times = FlowLifecycle.of(RED);
    times.onStarted(() => this.#settleAll());
    // Flows that are about to stop as a whole hear of it before.
    times.onStopping(() => {
      if (!times.partial) {
        this.#settleAll();
      }
    });
  }

  static of(RED: NodeAPI): RedeployHandover {
    let found = RedeployHandover.#byRuntime.get(RED.events);
    if (found === undefined) {
      found = new RedeployHandover(RED);
      RedeployHandover.#byRuntime.set(RED.events, found);
    }
    return found;
  }

  /** A node begins its life: it is the successor of the one that was closed in its place. */
  arrive(node: Node): void {
    const place = placeOf(node);
    if (this.#pending.has(place)) {
      this.#arrived.set(place, node);
    }
  }

  /**
   * A node ends its life in a partial deploy. What comes for it from now on goes to its successor, a turn after that
   * was named.
   * @param settle called once, when the flows run again
   */
  begin(node: Node, settle: Settle): void {
    if (this.#pending.size === 0) {
      this.RED.hooks.add(HOOK, (event) => (this.#hold(event) ? false : undefined));
      this.#patience = setTimeout(() => this.#settleAll(), PATIENCE).unref();
    }
    this.#pending.set(placeOf(node), { node, settle, messages: [], dropped: 0 });
  }

  #hold(event: PreRouteEvent): boolean {
    for (const pending of this.#pending.values()) {
      if (pending.node.id === event.destination.id) {
        if (pending.messages.length < MOST_HELD) {
          pending.messages.push(event.cloneMessage ? this.RED.util.cloneMessage(event.msg) : event.msg);
        } else {
          pending.dropped++;
        }
        return true;
      }
    }
    return false;
  }

  #settleAll(): void {
    if (this.#pending.size === 0) {
      return;
    }
    this.RED.hooks.remove(HOOK);
    clearTimeout(this.#patience ?? undefined);
    const all = [...this.#pending];
    const arrived = new Map(this.#arrived);
    this.#pending.clear();
    this.#arrived.clear();
    for (const [place, pending] of all) {
      const successor = arrived.get(place) ?? null;
      pending.settle(successor);
      setImmediate(() => deliver(pending, successor));
    }
  }
}

function deliver({ node, messages, dropped }: Pending, successor: Node | null): void {
  for (const msg of successor === null ? [] : messages) {
    successor?.receive(msg);
  }
  const lost = dropped + (successor === null ? messages.length : 0);
  if (lost > 0) {
    const why = successor === null ? "the node did not come back" : "there were too many to be held";
    node.error(`${lost} messages came while this node was being deployed anew and were lost: ${why}.`);
  }
}
