import type { ListNode } from "./linked-list";
import { type TimerEntry, SharedTimer } from "./shared-timer";

/** Bytes a second that a transfer must reach on average. Slower transfers are aborted, because they occupy a connection. */
const SLOWEST = 4096;

/**
 * Calls back when something takes too long. Without progress it expires after its allowance. Progress starts the
 * allowance again, but the total time is limited to what the transferred bytes take at the slowest rate: a large file has
 * time, a stalled transfer is aborted.
 */
export class Deadline implements TimerEntry {
  #allowance = 0;
  #began = 0;
  #last = 0;
  #bytes = 0;
  /** `performance.now()` of the next check. */
  #checksAt = 0;
  #stopped = false;
  asleepSince = 0;
  /** Shared by all deadlines of the same length; after a check with time left, `#timer` is used instead. */
  #shared: SharedTimer | null = null;
  #node: ListNode<TimerEntry> | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** @param allowance ms */
  constructor(
    allowance: number,
    private readonly expire: () => void,
  ) {
    this.restart(allowance);
  }

  get #due(): number {
    const worth = this.#began + this.#allowance + (this.#bytes / SLOWEST) * 1000;
    return Math.min(this.#last + this.#allowance, worth);
  }

  progress(bytes: number): void {
    this.#last = performance.now();
    this.#bytes += bytes;
  }

  /** Starts again with another allowance in ms. A stopped deadline stays stopped. */
  restart(allowance: number): void {
    if (this.#stopped) {
      return;
    }
    const now = performance.now();
    this.#allowance = allowance;
    this.#began = this.#last = now;
    this.#bytes = 0;
    // An early check costs little.
    if (this.#checksAt === 0 || now + allowance < this.#checksAt) {
      this.#disarm();
      this.asleepSince = now;
      this.#checksAt = now + allowance;
      this.#shared = SharedTimer.after(Math.max(1, Math.ceil(allowance)));
      this.#node = this.#shared.add(this);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  #disarm(): void {
    if (this.#node !== null) {
      this.#shared?.remove(this.#node);
      this.#node = null;
    }
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
  }

  wake(): void {
    this.#node = null;
    this.#check();
  }

  #check(): void {
    if (this.#stopped) {
      return;
    }
    const now = performance.now();
    const left = this.#due - now;
    if (left > 0) {
      const wait = Math.max(1, Math.ceil(left));
      this.#checksAt = now + wait;
      // Input that arrived while the event loop was blocked is handled before the check.
      this.#timer = setTimeout(() => setImmediate(() => this.#check()), wait);
    } else {
      this.expire();
    }
  }
}
