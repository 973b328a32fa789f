/** Bytes a second. Slower transfers are aborted, because they occupy a connection. */
const MIN_RATE = 4096;

/** Expires after `allowance` ms without progress, or when a transfer is slower than `SLOWEST` on average. */
export class Deadline {
  #allowance = 0;
  #startedAt = 0;
  #last = 0;
  #bytes = 0;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    allowance: number,
    private readonly expire: () => void,
  ) {
    this.restart(allowance);
  }

  get #due(): number {
    const worth = this.#startedAt + this.#allowance + (this.#bytes / MIN_RATE) * 1000;
    return Math.min(this.#last + this.#allowance, worth);
  }

  progress(bytes: number): void {
    this.#last = performance.now();
    this.#bytes += bytes;
  }

  /** A stopped deadline stays stopped. */
  restart(allowance: number): void {
    if (this.#stopped) {
      return;
    }
    this.#allowance = allowance;
    this.#startedAt = this.#last = performance.now();
    this.#bytes = 0;
    this.#checkIn(allowance);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #checkIn(ms: number): void {
    clearTimeout(this.#timer);
    // Input that arrived while the event loop was blocked is handled before the check.
    this.#timer = setTimeout(() => setImmediate(() => this.#check()), Math.max(1, Math.ceil(ms)));
  }

  #check(): void {
    if (this.#stopped) {
      return;
    }
    const left = this.#due - performance.now();
    if (left > 0) {
      this.#checkIn(left);
    } else {
      this.expire();
    }
  }
}
