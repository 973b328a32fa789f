/** A collection that can drop its oldest entry. */
export interface ByteHolder {
  /** Entries. */
  readonly count: number;
  /** Approximate bytes of all entries together. */
  readonly bytes: number;
  dropOldest(): void;
}

/**
 * A limit in bytes that several holders share. Above it, the largest holder drops its oldest entries first, so that a
 * busy account does not displace the entries of a quiet one. The entry that was added last always stays.
 */
export class ByteBudget {
  readonly #holders = new Set<ByteHolder>();
  #used = 0;

  /** @param max bytes */
  constructor(private readonly max: number) {}

  /** Approximate bytes that all holders keep. */
  get used(): number {
    return this.#used;
  }

  join(holder: ByteHolder): void {
    this.#holders.add(holder);
  }

  /** Holders call this with each change of their `bytes`, also in `dropOldest`. */
  charge(bytes: number): void {
    this.#used += bytes;
  }

  /** Holders call this after they have added an entry. */
  settle(newest: ByteHolder): void {
    while (this.#used > this.max) {
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
