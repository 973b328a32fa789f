import { ByteBudget, type ByteHolder } from "./byte-budget";

/** Limits of a log. */
export interface LogLimits {
  /** Entries. */
  readonly entries: number;
  /** Approximate bytes of all entries together, without `overhead`. */
  readonly bytes: number;
}

/** A log that drops its oldest entries above its limits. It always keeps the newest entry. */
export class BoundedLog<Entry> implements ByteHolder {
  /** Kept entries, oldest first; always the same array. */
  readonly entries: readonly Entry[] = [];
  readonly #entries = this.entries as Entry[];
  readonly #sizes: number[] = [];
  #size = 0;
  #total = 0;

  /**
   * @param budget shared with other logs, which may drop even the newest entry of this one
   * @param overhead bytes of each entry that only the budget counts
   */
  constructor(
    private readonly limits: LogLimits,
    private readonly sizeOf: (entry: Entry) => number,
    private readonly budget: ByteBudget = new ByteBudget(Number.POSITIVE_INFINITY),
    private readonly overhead = 0,
  ) {
    budget.join(this);
  }

  get count(): number {
    return this.entries.length;
  }

  get bytes(): number {
    return this.#size + this.count * this.overhead;
  }

  /** Entries added since the last `clear`, including dropped ones. */
  get total(): number {
    return this.#total;
  }

  add(entry: Entry): void {
    const size = this.sizeOf(entry);
    this.#entries.push(entry);
    this.#sizes.push(size);
    this.#size += size;
    this.#total += 1;
    this.budget.charge(size + this.overhead);
    const { entries, bytes } = this.limits;
    while (this.count > entries || (this.#size > bytes && this.count > 1)) this.dropOldest();
    this.budget.settle(this);
  }

  dropOldest(): void {
    const size = this.#sizes.shift() ?? 0;
    this.#entries.shift();
    this.#size -= size;
    this.budget.charge(-size - this.overhead);
  }

  clear(): void {
    this.budget.charge(-this.bytes);
    this.#entries.length = 0;
    this.#sizes.length = 0;
    this.#size = 0;
    this.#total = 0;
  }
}
