import type { RecordedRequest, SimulatedDelivery, SimulatedMessage } from "../../../simulator";
import { freePort } from "../http/free-port";

/** Reaches into the simulator that runs inside a Node-RED, through its controls. */
export class BuiltInSimulatorControl {
  private constructor(
    readonly port: number,
    readonly token: string,
  ) {}

  /** Chooses port and token before Node-RED starts; give it `env`. */
  static async prepare(): Promise<BuiltInSimulatorControl> {
    return new BuiltInSimulatorControl(await freePort(), "control-token-for-tests");
  }

  get env(): Readonly<Record<string, string>> {
    return { MESSAGING_SIMULATOR_PORT: `${this.port}`, MESSAGING_SIMULATOR_TOKEN: this.token };
  }

  /** Requests that the account made, oldest first. */
  requests = (account: string) => this.#list<RecordedRequest>(account, "requests");

  /** Messages that the service took from the account, oldest first. */
  messages = (account: string) => this.#list<SimulatedMessage>(account, "messages");

  /** Events on their way to the account's webhooks, and what became of them, oldest first. */
  deliveries = (account: string) => this.#list<SimulatedDelivery>(account, "deliveries");

  async reset(accountNodeId: string): Promise<void> {
    await this.#call("POST", accountNodeId, "reset");
  }

  /** Resets an account that the simulator may not know, or that no flow uses now. */
  async forget(accountNodeId: string): Promise<void> {
    await this.reset(accountNodeId).catch((error: unknown) => {
      const text = String(error);
      if (!/: 404 |fetch failed/.test(text)) throw error;
    });
  }

  async #list<Row>(account: string, name: string): Promise<readonly Row[]> {
    const answer = await this.#call("GET", account, `${name}?limit=20000`);
    return (answer as Readonly<Record<string, readonly Row[]>>)[name] ?? [];
  }

  async #call(method: string, accountNodeId: string, control: string): Promise<unknown> {
    const url = `http://127.0.0.1:${this.port}/account/${accountNodeId}/_sim/${control}`;
    const response = await fetch(url, {
      method,
      headers: { "x-simulator-token": this.token, connection: "close" },
    });
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}
