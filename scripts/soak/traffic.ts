import type { NodeMessage } from "node-red";
import type { SendResult } from "../../lib/runtime/channels/send-result";
import { CONNECTIONS, SENDERS } from "../../test/faults/senders";
import type { Simulator } from "../../simulator/index";
import type { DeployType, EmbeddedNodeRed, FlowNode } from "./embedded";

const SECRET = "a-secret-only-for-the-soak";
const OUTSTANDING = 8 * CONNECTIONS;

/** A message's id tells its result from those of others; counts say what it came to. */
export class Traffic {
  readonly outcomes = new Map<string, number>();
  sent = 0;
  events = 0;
  #waiting = 0;
  #deploys = 0;

  constructor(
    private readonly simulator: Simulator,
    private readonly addresses: { readonly serviceAddress: string; readonly tokenAddress: string },
  ) {}

  /** The sink of the flow. */
  readonly came = (msg: NodeMessage): void => {
    const { result } = msg as { result?: SendResult };
    if (result === undefined) {
      this.events++;
      return;
    }
    this.#waiting = Math.max(0, this.#waiting - 1);
    this.outcomes.set(result.outcome, (this.outcomes.get(result.outcome) ?? 0) + 1);
  };

  /** Senders, webhooks and a sink; each deploy changes something else. */
  flow(change: "everything" | "flow" | "sender" | "account" = "everything"): {
    readonly nodes: readonly FlowNode[];
    readonly type: DeployType;
  } {
    this.#deploys++;
    const { username, password, clientId, clientSecret, applicationId } = this.simulator.credentials;
    const name = (what: string): string => (change === what ? `changed ${this.#deploys}` : "");
    const hooks = ["inbound", "status"].map((kind) => ({
      id: `hook-${kind}`,
      z: "tab",
      type: "webhook-in",
      kind,
      rememberMost: 100,
      outputs: kind === "status" ? 4 : 2,
      wires: Array.from({ length: kind === "status" ? 4 : 2 }, () => ["sink"]),
      credentials: { secret: SECRET },
    }));
    return {
      type: change === "everything" ? "full" : change === "flow" ? "flows" : "nodes",
      nodes: [
        { id: "tab", type: "tab", label: "soak" },
        {
          id: "account",
          type: "messaging-account",
          name: name("account"),
          service: "service",
          legacyAuth: "basic",
          applicationId,
          connections: CONNECTIONS,
          attempts: 20,
          answerTimeout: 2,
          keepMessages: "memory",
          ...this.addresses,
          credentials: { username, password, clientId, clientSecret },
        },
        ...SENDERS.map(({ to: _to, ...sender }, at) => ({
          z: "tab",
          account: "account",
          name: at === 0 ? name("sender") : "",
          outputs: 6,
          wires: Array.from({ length: 6 }, () => ["sink"]),
          ...sender,
        })),
        ...hooks,
        { id: "sink", z: "tab", type: "soak-sink", name: name("flow") },
      ],
    };
  }

  /** Has the simulator call the webhooks of a Node-RED. @returns ends that */
  connect(port: number): () => void {
    const handles = (["inbound", "status"] as const).map((kind) =>
      this.simulator.main.registerWebhook({
        kind,
        url: `http://127.0.0.1:${port}/messaging/hook-${kind}?secret=${SECRET}`,
      }),
    );
    return () => {
      for (const handle of handles) {
        handle.unregister();
      }
    };
  }

  /** Sends until `enough`, an event with every tenth message, and waits for all results. */
  async run(nodeRed: EmbeddedNodeRed, enough: (sent: number) => boolean): Promise<void> {
    const from = this.sent;
    while (!enough(this.sent - from)) {
      if (this.#waiting < OUTSTANDING) {
        for (let some = 0; some < CONNECTIONS; some++) {
          this.#one(nodeRed);
        }
      }
      await turn();
    }
    await this.settle();
  }

  async settle(): Promise<void> {
    for (const end = performance.now() + 60_000; this.#waiting > 0; await turn()) {
      if (performance.now() > end) {
        throw new Error(`${this.#waiting} messages never came out`);
      }
    }
  }

  /** Results that a deploy swallowed are in the log; what is counted begins anew. */
  forget(): void {
    this.#waiting = 0;
  }

  #one(nodeRed: EmbeddedNodeRed): void {
    const { id, to } = SENDERS[this.sent % SENDERS.length] as (typeof SENDERS)[number];
    const node = nodeRed.node(id);
    if (node === null) {
      return;
    }
    this.#waiting++;
    if (this.sent++ % 10 === 0) {
      this.simulator.main.receive({ sender: "+41790000009", content: "Hello" });
    }
    node.receive({ to, payload: "Hello" } as NodeMessage);
  }
}

export const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));
