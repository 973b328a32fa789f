import type { NodeMessage } from "node-red";
import type { SendResult } from "../../lib/runtime/channels/send-result";
import type { Simulator } from "../../simulator/index";
import { type Config, resultOf, startFlow, type TestFlow } from "../node/flow";
import { CONNECTIONS, SENDERS } from "./senders";

/** Messages that are not settled at a time: enough for a queue, few enough to spread over a fault. */
const OUTSTANDING = 8 * CONNECTIONS;

/** ms without any result after which messages count as lost. */
const SILENCE = 150_000;

/** A flow with one node for each way to send, and what became of every message. */
export class Load {
  readonly outcomes = new Map<string, SendResult[]>();
  readonly done = new Map<string, number>();
  readonly caught: string[] = [];
  readonly sent: string[] = [];
  #settled = 0;
  #wake = (): void => {};

  private constructor(
    readonly flow: TestFlow,
    private readonly name: string,
  ) {}

  /** @param name what its ids begin with */
  static async start(
    name: string,
    { credentials }: Simulator,
    account: Config,
    more: readonly Config[] = [],
    moreCredentials: Readonly<Record<string, Config>> = {},
  ): Promise<Load> {
    const ports = [0, 1, 2, 3, 4, 5].map((port) => [`out-${port}`]);
    const { username, password, clientId, clientSecret, applicationId } = credentials;
    const flow = await startFlow({
      account: {
        service: "service",
        legacyAuth: "basic",
        applicationId,
        connections: CONNECTIONS,
        ...account,
      },
      credentials: { username, password, clientId, clientSecret },
      more: [
        ...SENDERS.map(({ to: _to, ...sender }) => ({
          z: "tab",
          account: "n-account",
          outputs: 6,
          wires: ports,
          clientMessageId: "clientMessageId",
          clientMessageIdSource: "msg",
          ...sender,
        })),
        ...ports.map((_port, at) => ({ id: `out-${at}`, z: "tab", type: "helper" })),
        ...more,
      ],
      completing: SENDERS.map(({ id }) => id),
      moreCredentials,
    });
    const load = new Load(flow, name);
    ports.forEach((_port, at) => {
      flow.node(`out-${at}`).on("input", (msg: NodeMessage) => load.#came(msg));
    });
    flow.node("completed").on("input", (msg: NodeMessage) => {
      const id = String((msg as { clientMessageId?: unknown }).clientMessageId);
      load.done.set(id, (load.done.get(id) ?? 0) + 1);
      load.#wake();
    });
    flow.node("caught").on("input", (msg: NodeMessage) => {
      load.caught.push(JSON.stringify((msg as { error?: unknown }).error));
    });
    return load;
  }

  #came(msg: NodeMessage): void {
    const result = resultOf(msg);
    const id = String(result.clientMessageId);
    const before = this.outcomes.get(id);
    if (before === undefined) {
      this.outcomes.set(id, [result]);
      this.#settled++;
    } else {
      before.push(result);
    }
    this.#wake();
  }

  /** Hands in messages by turns, so that a bounded number waits, until `enough` says so; then until all are over. */
  async run(enough: (sent: number) => boolean): Promise<readonly string[]> {
    const from = this.sent.length;
    while (!enough(this.sent.length - from)) {
      while (this.sent.length - this.#settled >= OUTSTANDING) {
        await this.#change();
      }
      const at = this.sent.length;
      const id = `${this.name}-${at}`;
      const { id: sender, to } = SENDERS[at % SENDERS.length]!;
      this.sent.push(id);
      this.flow.node(sender).receive({ to, payload: "Hello", clientMessageId: id } as never);
      if (at % CONNECTIONS === 0) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    while (this.#settled < this.sent.length || this.done.size < this.sent.length) {
      await this.#change();
    }
    return this.sent.slice(from);
  }

  /** @throws Error when nothing happens for long */
  #change(): Promise<void> {
    return new Promise((resolve, reject) => {
      const missing = (): string[] =>
        this.sent.filter((id) => !this.outcomes.has(id) || !this.done.has(id)).slice(0, 5);
      const timer = setTimeout(() => reject(new Error(`nothing came of ${missing().join(", ")}`)), SILENCE);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
