/** Something that keeps entries and can give up its oldest one. */
export interface ByteHolder {
  /** Entries. */
  readonly count: number;
  /** Approximate bytes of all entries together. */
  readonly bytes: number;
  dropOldest(): void;
}

/**
 * A limit in bytes for many holders together. When it is exceeded, the largest holder gives up its oldest entries
 * first: a busy account costs a quiet one nothing. Only the entry that was added last always stays.
 */
export class ByteBudget {
  readonly #most: number;
  readonly #holders = new Set<ByteHolder>();
  #used = 0;

  /** @param most bytes */
  constructor(most: number) {
    this.#most = most;
  }

  /** Approximate bytes that all holders keep. */
  get used(): number {
    return this.#used;
  }

  join(holder: ByteHolder): void {
    this.#holders.add(holder);
  }

  /** To be called with each change of a holder's `bytes`, also by `dropOldest`. */
  charge(bytes: number): void {
    this.#used += bytes;
  }

  /** To be called when this holder has added an entry. */
  settle(newest: ByteHolder): void {
    while (this.#used > this.#most) {
      let largest: ByteHolder | null = null;
      for (const holder of this.#holders) {
        if (holder.count > (holder === newest ? 1 : 0) && holder.bytes > (largest?.bytes ?? 0)) {
          largest = holder;
        }
      }
      if (!largest) return;
      largest.dropOldest();
    }
  }
}
