import { ExpiringCounts } from "../../webhook/expiring-counts";

/** Requests, and the ms for which they are known: what people write before that is not kept either. */
const MOST = 100_000;
const AGE = 600_000;

/** When the latest requests of an account without a store left. Nothing is noted until somebody wants to know it. */
export class MemoryDepartures {
  readonly #times: ExpiringCounts;
  /** Epoch ms from which on every request is noted; null as long as none is. */
  #since: number | null = null;

  constructor(
    private readonly now: () => number = Date.now,
    most: number = MOST,
  ) {
    this.#times = new ExpiringCounts(AGE, most, now);
  }

  /** Notes requests from now on. */
  follow(): void {
    this.#since ??= this.now();
  }

  /** A request leaves now. @param id its client message id */
  note(id: string): void {
    if (this.#since !== null) {
      this.#times.set(id, 1);
    }
  }

  /**
   * @param id client message id of a request that has left; null where it has none
   * @returns epoch ms from which on what people write comes after the request
   */
  leftAt(id: string | null): number {
    const known = id === null ? null : this.#times.timeOf(id);
    // A request that is not known left before the first one was noted, or so long ago that it is forgotten.
    return known ?? (id === null || this.#since === null || this.#times.isFull ? this.now() : this.#since);
  }
}
