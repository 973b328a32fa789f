import type { RecordedRequest, SimulatedMessage } from "../../../simulator";
import type { Example } from "../examples";
import type { RecordedMessage } from "./admin-client";
import type { BuiltInSimulatorControl } from "./built-in-simulator";
import type { NodeRed } from "./node-red";
import type { Bench } from "./on-each-node-red";
import { waitFor } from "../wait-for";
import type { StatusWatch } from "./status-watch";

/** Runs one example in a real Node-RED and asserts what it does. */
export type ExampleCheck = (run: ExampleRun) => Promise<void>;

/** An example in a real Node-RED. Its nodes go by their names. */
export class ExampleRun {
  /** Id of its account; of several that of the first. */
  readonly account: string;
  readonly nodeRed: NodeRed;
  readonly simulator: BuiltInSimulatorControl;

  constructor(
    readonly bench: Bench,
    readonly example: Example,
  ) {
    this.account = example.flows.find(({ type }) => type === "messaging-account")?.id ?? "";
    ({ nodeRed: this.nodeRed, simulator: this.simulator } = bench);
  }

  id(name: string): string {
    return this.example.id(name);
  }

  /** Deploys it with other properties of some nodes, by their names. */
  async deploy(changes: Parameters<Example["with"]>[0] = {}): Promise<void> {
    await this.nodeRed.deploy(this.example.with(changes));
  }

  /** Presses the button of an inject node; what was recorded before is forgotten. */
  async press(button: string): Promise<void> {
    await this.nodeRed.clearRecording();
    await this.nodeRed.inject(this.id(button));
  }

  /** Waits for so many messages that reach a node. */
  reaching(node: string, count = 1): Promise<readonly RecordedMessage[]> {
    let seen: readonly RecordedMessage[] = [];
    return waitFor(
      () => `${count} messages to ${node}; there were ${seen.length}`,
      async () => {
        seen = await this.seenAt(node);
        return seen.length >= count && seen;
      },
    );
  }

  /** Waits for a message from the first output of a node. */
  leaving(node: string): Promise<readonly RecordedMessage[]> {
    return this.nodeRed.messages(this.id(node), 0);
  }

  /** Messages to a node so far. */
  async seenAt(node: string): Promise<readonly RecordedMessage[]> {
    const { messages } = await this.nodeRed.recording();
    return messages.filter(({ to }) => to === this.id(node));
  }

  /** Waits until the badge of a node is as wanted. */
  async badge(node: string, isWanted: Parameters<StatusWatch["waitFor"]>[1]): Promise<void> {
    await this.bench.statuses.waitFor(this.id(node), isWanted);
  }

  /** Requests that the account made, oldest first. */
  requests(): Promise<readonly RecordedRequest[]> {
    return this.simulator.requests(this.account);
  }

  /** Messages that the service took, oldest first. */
  taken(): Promise<readonly SimulatedMessage[]> {
    return this.simulator.messages(this.account);
  }

  /** Uses a control of the account, as the sidebar does. */
  control(path: string, body: object = {}): Promise<unknown> {
    return this.nodeRed.request("POST", `/messaging-account/${this.account}/${path}`, body);
  }

  /** A person writes a message. */
  async write(sender: string, text: string, channel = "sms"): Promise<void> {
    await this.control("simulator/write", { channel, sender, text });
  }
}
