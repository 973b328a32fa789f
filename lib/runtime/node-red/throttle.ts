/** ms between two updates: every one travels to each open editor. */
const PACE = 250;

/** Work that is asked for often and done at a measured pace: soon after the first time, then not too often. */
export class Throttle {
  #timer: NodeJS.Timeout | null = null;
  #doneAt = 0;
  #closed = false;

  constructor(
    private readonly work: () => void,
    private readonly pace: () => number = () => PACE,
  ) {}

  ask(): void {
    if (this.#timer === null && !this.#closed) {
      const wait = Math.max(0, this.#doneAt + this.pace() - Date.now());
      this.#timer = setTimeout(() => this.now(), wait);
    }
  }

  /** Does it at once; what was asked for is done with it. */
  now(): void {
    this.#cancel();
    this.#doneAt = Date.now();
    this.work();
  }

  /** Forgets what was asked for, and takes no more. */
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
