/** How much a log keeps. */
export interface LogLimits {
  /** Entries. */
  readonly entries: number;
  /** Approximate bytes of all entries together. */
  readonly bytes: number;
}

/** A log that forgets its oldest entries, so that a simulator can run for weeks. The newest one is always kept. */
export class BoundedLog<Entry> {
  readonly #limits: LogLimits;
  readonly #sizeOf: (entry: Entry) => number;
  readonly #entries: Entry[] = [];
  readonly #sizes: number[] = [];
  #bytes = 0;
  #total = 0;

  constructor(limits: LogLimits, sizeOf: (entry: Entry) => number) {
    this.#limits = limits;
    this.#sizeOf = sizeOf;
  }

  /** What is still known, oldest first; the same array for the life of the log. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Entries ever added since the last `clear`. */
  get total(): number {
    return this.#total;
  }

  add(entry: Entry): void {
    const size = this.#sizeOf(entry);
    this.#entries.push(entry);
    this.#sizes.push(size);
    this.#bytes += size;
    this.#total += 1;
    while (
      this.#entries.length > this.#limits.entries ||
      (this.#bytes > this.#limits.bytes && this.#entries.length > 1)
    ) {
      this.#entries.shift();
      this.#bytes -= this.#sizes.shift() ?? 0;
    }
  }

  clear(): void {
    this.#entries.length = 0;
    this.#sizes.length = 0;
    this.#bytes = 0;
    this.#total = 0;
  }
}
