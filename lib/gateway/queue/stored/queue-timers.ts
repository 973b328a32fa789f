/** ms until a store that failed is asked again. */
const RETRY = 1_000;
/** ms that a queue sleeps at most: then it asks the store for what nobody has told of. */
export const LONGEST_SLEEP = 30_000;

/** Wakes a queue: when a request is due, and a while after the store has failed. */
export class QueueTimers {
  #retry: NodeJS.Timeout | null = null;
  #due: NodeJS.Timeout | null = null;
  #dueAt = Number.POSITIVE_INFINITY;
  #stopped = false;

  constructor(private readonly wake: () => void) {}

  /** Whether the store has failed, and is left alone for a moment. */
  get retries(): boolean {
    return this.#retry !== null;
  }

  /** The store has failed: it is asked again later. */
  retry(): void {
    if (!this.#stopped) {
      this.#retry ??= setTimeout(() => {
        this.#retry = null;
        this.wake();
      }, RETRY);
    }
  }

  /** A request may leave in so many ms. */
  wakeIn(delay: number): void {
    const wait = Math.min(delay, LONGEST_SLEEP);
    const at = performance.now() + wait;
    if (this.#stopped || at >= this.#dueAt) {
      return;
    }
    clearTimeout(this.#due ?? undefined);
    this.#dueAt = at;
    this.#due = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.wake();
      // A timer fires a moment early at times.
    }, wait + 1);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retry ?? undefined);
    clearTimeout(this.#due ?? undefined);
  }
}
