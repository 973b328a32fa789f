/** Each status update goes to every open editor. Tests shorten the interval. */
export const UPDATES = { intervalMs: 250 };

/** Runs work at once after the first request, then at most once in each interval. */
export class Throttle {
  #timer: NodeJS.Timeout | null = null;
  #doneAt = 0;
  #closed = false;

  constructor(
    private readonly work: () => void,
    private readonly interval: () => number = () => UPDATES.intervalMs,
  ) {}

  ask(): void {
    if (this.#timer === null && !this.#closed) {
      const wait = Math.max(0, this.#doneAt + this.interval() - Date.now());
      this.#timer = setTimeout(() => this.now(), wait);
    }
  }

  /** Runs the work at once, which also fulfils a pending request. */
  now(): void {
    this.#cancel();
    this.#doneAt = Date.now();
    this.work();
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  #cancel(): void {
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
  }
}
