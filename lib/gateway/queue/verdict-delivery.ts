import { FifoQueue } from "./fifo-queue";
import type { Task } from "./queue-handle";
import type { Verdict } from "../codec/verdict";

/**
 * ms for which verdicts are told in one go. Then the event loop has a turn: requests that the flow has made of the
 * first verdicts leave while the others still wait, so that the service works at the same time.
 */
const SLICE = 0.15;

/**
 * Tells verdicts outside of the call in which the HTTP client read the answer, after all answers that were there were
 * read and the next requests handed over. A task in here is settled already: nothing that happens meanwhile, such as
 * its node closing, makes another verdict of it.
 */
export class VerdictDelivery {
  readonly #line = new FifoQueue<Task>();
  #busy = false;

  /** @param between called after each that was told */
  constructor(private readonly between: () => void) {}

  add(task: Task, verdict: Verdict): void {
    task.verdict = verdict;
    this.#line.add(task);
    this.wake();
  }

  /** Has `between` called, too, where there is nobody to tell. */
  wake(): void {
    if (!this.#busy) {
      this.#busy = true;
      setImmediate(this.#tell);
    }
  }

  readonly #tell = (): void => {
    const until = performance.now() + SLICE;
    try {
      do {
        const task = this.#line.take();
        task?.waiter.told(task.verdict as Verdict);
        this.between();
      } while (this.#line.size > 0 && performance.now() < until);
    } finally {
      if (this.#line.size > 0) {
        setImmediate(this.#tell);
      } else {
        this.#busy = false;
      }
    }
  };
}
