import { FifoQueue } from "./fifo-queue";
import type { Task } from "./queue-handle";
import type { Verdict } from "../codec/verdict";

/** ms of one slice. Between slices the event loop runs, so that requests made of the first verdicts leave while others wait. */
const SLICE = 0.15;

/** Delivers verdicts outside of the HTTP client's callback, after the next requests were handed over. Nothing changes a verdict in here. */
export class VerdictDelivery {
  readonly #queue = new FifoQueue<Task>();
  #busy = false;
  /** Whether `wake` was called during a slice. */
  #again = false;

  /** @param between called after each verdict */
  constructor(private readonly between: () => void) {}

  add(task: Task, verdict: Verdict): void {
    task.verdict = verdict;
    this.#queue.add(task);
    if (!this.#busy) {
      this.wake();
    }
  }

  /** Calls `between` in a later turn, also without a verdict. */
  wake(): void {
    this.#again = true;
    if (!this.#busy) {
      this.#busy = true;
      setImmediate(this.#deliver);
    }
  }

  readonly #deliver = (): void => {
    const until = performance.now() + SLICE;
    this.#again = false;
    try {
      do {
        const task = this.#queue.take();
        task?.waiter.onVerdict(task.verdict as Verdict);
        this.between();
      } while (this.#queue.size > 0 && performance.now() < until);
    } finally {
      if (this.#queue.size > 0 || this.#again) {
        setImmediate(this.#deliver);
      } else {
        this.#busy = false;
      }
    }
  };
}
