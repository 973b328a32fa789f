/** Bytes a second that a transfer must reach on the whole; slower ones are drips that hold a connection for ever. */
const SLOWEST = 4096;

/**
 * Ends what takes too long. Without progress it runs out after its allowance. Progress gives it a new allowance
 * from that moment, yet on the whole no more than the bytes moved are worth at the slowest rate: a file may take
 * its time, a drip may not.
 */
export class Deadline {
  #allowance = 0;
  #began = 0;
  #last = 0;
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  /** When the timer goes off. */
  #looksAt = 0;
  #stopped = false;

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

  /** Begins again with another allowance in ms; a stopped one stays stopped. */
  restart(allowance: number): void {
    if (this.#stopped) {
      return;
    }
    const now = performance.now();
    this.#allowance = allowance;
    this.#began = this.#last = now;
    this.#bytes = 0;
    // A timer that goes off too early costs one look; a new one for each request would cost more.
    if (this.#timer === null || now + allowance < this.#looksAt) {
      this.#arm(now);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  #disarm(): void {
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
  }

  #arm(now: number): void {
    this.#disarm();
    const wait = Math.max(1, Math.ceil(this.#due - now));
    this.#looksAt = now + wait;
    // What came while this process was busy with something else is heard before it is judged.
    this.#timer = setTimeout(() => setImmediate(() => this.#look()), wait);
  }

  #look(): void {
    if (this.#stopped) {
      return;
    }
    const now = performance.now();
    if (now < this.#due) {
      this.#arm(now);
    } else {
      this.expire();
    }
  }
}
