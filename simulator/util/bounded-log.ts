import { ByteBudget, type ByteHolder } from "./byte-budget";

/** Limits of a log. */
export interface LogLimits {
  /** Entries. */
  readonly entries: number;
  /** Approximate bytes of all entries together. */
  readonly bytes: number;
}

/** A log that drops its oldest entries above its limits. It always keeps the newest entry. */
export class BoundedLog<Entry> implements ByteHolder {
  readonly #limits: LogLimits;
  readonly #sizeOf: (entry: Entry) => number;
  readonly #budget: ByteBudget;
  readonly #entries: Entry[] = [];
  readonly #sizes: number[] = [];
  #bytes = 0;
  #total = 0;

  /** @param budget shared with other logs, which may drop even the newest entry of this one */
  constructor(
    limits: LogLimits,
    sizeOf: (entry: Entry) => number,
    budget: ByteBudget = new ByteBudget(Number.POSITIVE_INFINITY),
  ) {
    this.#limits = limits;
    this.#sizeOf = sizeOf;
    this.#budget = budget;
    budget.join(this);
  }

  /** Kept entries, oldest first; always the same array. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  get count(): number {
    return this.#entries.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Entries added since the last `clear`, including dropped ones. */
  get total(): number {
    return this.#total;
  }

  add(entry: Entry): void {
    const size = this.#sizeOf(entry);
    this.#entries.push(entry);
    this.#sizes.push(size);
    this.#count(size);
    this.#total += 1;
    while (
      this.#entries.length > this.#limits.entries ||
      (this.#bytes > this.#limits.bytes && this.#entries.length > 1)
    ) {
      this.dropOldest();
    }
    this.#budget.settle(this);
  }

  dropOldest(): void {
    this.#entries.shift();
    this.#count(-(this.#sizes.shift() ?? 0));
  }

  clear(): void {
    this.#entries.length = 0;
    this.#sizes.length = 0;
    this.#count(-this.#bytes);
    this.#total = 0;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#budget.charge(bytes);
  }
}
