import type { Node, NodeAPI, NodeMessage } from "node-red";
import { say } from "../../texts/say";
import { atExit } from "./at-exit";
import { FlowLifecycle } from "./flow-lifecycle";
import { getIdentity } from "./node-identity";
import { perRuntime } from "./per-runtime";

type PreRouteEvent = Parameters<NodeAPI["hooks"]["trigger"]>[1];

/** @param heir the value that the successor passed to `arrive`; null without a successor */
export type Settle = (heir: unknown) => void;

interface Arrived {
  readonly node: Node;
  readonly heir: unknown;
}

interface Pending {
  readonly node: Node;
  readonly settle: Settle;
  readonly messages: NodeMessage[];
  dropped: number;
}

const HOOK = "preRoute.messaging-redeploy";
const MOST_HELD = 10_000;
/** Milliseconds until the log warns of waiting messages. Flows do not start while a node type is missing. */
const START_PATIENCE = 60_000;

/** Delivers messages to the successor of a node that closes in a deploy. Otherwise Node-RED drops them silently. */
export class RedeployHandover {
  static readonly of = perRuntime((RED) => new RedeployHandover(RED));

  readonly #pending = new Map<string, Pending>();
  readonly #arrived = new Map<string, Arrived>();
  #startTimer: NodeJS.Timeout | null = null;
  #forget = (): void => {};

  private constructor(private readonly RED: NodeAPI) {
    const lifecycle = FlowLifecycle.of(RED);
    lifecycle.onStarted(() => this.#settleAll());
    // If flows end without a deploy, there is no successor.
    lifecycle.onStopping(() => {
      if (!lifecycle.deploying) {
        this.#settleAll();
      }
    });
  }

  arrive(node: Node, heir: unknown = node): void {
    const identity = getIdentity(node);
    if (this.#pending.has(identity)) {
      this.#arrived.set(identity, { node, heir });
    }
  }

  /** Redirects messages of a closing node to its successor, one tick after `settle`, which is called once. */
  begin(node: Node, settle: Settle): void {
    if (this.#pending.size === 0) {
      this.RED.hooks.add(HOOK, (event) => (this.#hold(event) ? false : undefined));
      this.#forget = atExit(() => this.#reportExit());
      this.#startTimer = setTimeout(() => this.#warn(), START_PATIENCE).unref();
    }
    const identity = getIdentity(node);
    // A second deploy came before the flows of the first had started: the node is a successor that never ran.
    const earlier = this.#pending.get(identity);
    const { messages, dropped } = earlier ?? { messages: [], dropped: 0 };
    const heir = this.#arrived.get(identity)?.heir;
    this.#arrived.delete(identity);
    this.#pending.set(identity, { node, settle, messages, dropped });
    earlier?.settle(heir);
  }

  #reportExit(): void {
    for (const { node, messages, dropped } of this.#pending.values()) {
      const n = messages.length + dropped;
      if (n > 0) {
        node.error(say("send.lost-in-deploy.exit", { n }));
      }
    }
  }

  #warn(): void {
    for (const { node } of this.#pending.values()) {
      node.warn(say("send.waits-for-start"));
    }
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
    clearTimeout(this.#startTimer ?? undefined);
    this.#forget();
    const all = [...this.#pending];
    const arrived = new Map(this.#arrived);
    this.#pending.clear();
    this.#arrived.clear();
    for (const [identity, pending] of all) {
      const { node: successor, heir } = arrived.get(identity) ?? { node: null, heir: null };
      pending.settle(heir);
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
    const why = successor === null ? "removed" : "too-many";
    node.error(say(`send.lost-in-deploy.${why}`, { n: lost }));
  }
}
