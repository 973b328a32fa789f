import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { join } from "node:path";
import type { NetworkCommand } from "./network-process";

/** Nice value of the process, if this user may choose it: the network must not wait for Node-REDs that start. */
const PRIORITY = -15;

/** The service with the network before it, in a process that outlives every Node-RED. */
export class Service {
  /** Addresses for most accounts and for the rated account. */
  urls: readonly string[] = [];
  #command: Promise<unknown> = Promise.resolve();
  readonly #kill = (): void => void this.network.kill("SIGKILL");

  private constructor(private readonly network: ChildProcess) {
    process.once("exit", this.#kill);
  }

  static async start(nodeReds: readonly number[]): Promise<Service> {
    const network = fork(join(__dirname, "network-process.ts"), {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    try {
      setPriority(network.pid ?? 0, PRIORITY);
    } catch {
      // The process then runs like others, and reports its delays.
    }
    const service = new Service(network);
    service.urls = await service.run<string[]>({ start: nodeReds });
    return service;
  }

  async stop(): Promise<void> {
    process.off("exit", this.#kill);
    const ended = once(this.network, "exit");
    this.#kill();
    await ended;
  }

  run<Result>(command: NetworkCommand): Promise<Result> {
    const result = this.#command.then(async () => {
      const received = once(this.network, "message");
      this.network.send(command);
      return (await received)[0] as Result;
    });
    this.#command = result.catch(() => {});
    return result;
  }
}
