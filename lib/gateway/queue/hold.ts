import { FifoQueue } from "./fifo-queue";
import type { Task } from "./queue-handle";

/** Keeps messages back while nothing may leave. Requests without recipients, such as file transfers, pass. */
export class Hold {
  #isOn = false;
  readonly #tasks = new FifoQueue<Task>();

  /** Whether it is on. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** Tasks that wait in it. */
  get size(): number {
    return this.#tasks.size;
  }

  /** Whether a task may not leave now. */
  holds({ request }: Task): boolean {
    return this.#isOn && request.operation.recipients !== null;
  }

  add(task: Task): void {
    this.#tasks.add(task);
  }

  turnOn(): void {
    this.#isOn = true;
  }

  /** @returns the tasks that waited, in their order */
  turnOff(): readonly Task[] {
    this.#isOn = false;
    return this.#tasks.takeAll(() => true);
  }

  /** Forgets tasks that have ended meanwhile. */
  dropSettled(): void {
    this.#tasks.takeAll(({ settled }) => settled);
  }
}
