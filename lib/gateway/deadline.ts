/** Bytes a second that a transfer must reach on the whole; slower ones are drips that hold a connection for ever. */
const SLOWEST = 4096;

/**
 * Ends what takes too long. Without progress it runs out after its allowance. Progress gives it a new allowance
 * from that moment, yet on the whole no more than the bytes moved are worth at the slowest rate: a file may take
 * its time, a drip may not.
 */
export class Deadline {
  #began = performance.now();
  #last = this.#began;
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  /** @param allowance ms */
  constructor(
    private allowance: number,
    private readonly expire: () => void,
  ) {
    this.#arm();
  }

  get #due(): number {
    const worth = this.#began + this.allowance + (this.#bytes / SLOWEST) * 1000;
    return Math.min(this.#last + this.allowance, worth);
  }

  progress(bytes: number): void {
    this.#last = performance.now();
    this.#bytes += bytes;
  }

  /** Begins again with another allowance, not shorter than the one before. */
  restart(allowance: number): void {
    this.allowance = allowance;
    this.#began = this.#last = performance.now();
    this.#bytes = 0;
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
    }
  }

  /** Due only ever moves on, so it is enough to look again when it was due before. */
  #arm(): void {
    const wait = Math.max(1, Math.ceil(this.#due - performance.now()));
    // What came while this process was busy with something else is heard before it is judged.
    this.#timer = setTimeout(() => setImmediate(() => this.#look()), wait);
  }

  #look(): void {
    if (this.#stopped) {
      return;
    }
    if (performance.now() < this.#due) {
      this.#arm();
    } else {
      this.expire();
    }
  }
}
