import { warmUp } from "./load";
import type { Calls } from "./processes/caller-process";
import type { ReceiverTask } from "./processes/webhook-process";
import { Worker } from "./worker";

const CONNECTIONS = 32;

export interface Received extends Calls {
  /** µs of the receiving process. */
  readonly cpu: number;
}

/** A process that takes events. */
export class Receiver {
  private constructor(
    private readonly worker: Worker,
    private readonly url: string,
  ) {}

  static async start(task: ReceiverTask): Promise<Receiver> {
    const worker = new Worker("webhook-process.ts");
    return new Receiver(worker, await worker.ask<string>("start", task));
  }

  /** @param caller posts the events. @throws Error where one is not accepted */
  async sample(caller: Worker, seconds: number): Promise<Received> {
    await this.worker.ask("cpu");
    const calls = await caller.ask<Calls>("call", { url: this.url, connections: CONNECTIONS, seconds });
    const cpu = await this.worker.ask<number>("cpu");
    if (calls.failed > 0) {
      throw new Error(`${calls.failed} of ${calls.calls} events were not accepted`);
    }
    return { ...calls, cpu };
  }

  warmUp(caller: Worker): Promise<void> {
    return warmUp(async () => (await this.sample(caller, 0.5)).calls);
  }

  stop(): Promise<void> {
    return this.worker.stop();
  }
}
