/** ms after which a claim looks at everything that waits, whoever accepted it. */
const LOOK = 1_000;
/** Ids that are kept. What is beyond them is found like the requests of others. */
const MOST = 10_000;

/** A request that was claimed. */
interface Found {
  readonly id: number;
  /** Instance that accepted it. */
  readonly resultOwner: string;
}

/** What a claim asks for; null for the first of all that wait. */
export interface OwnClaim {
  readonly ids: readonly number[];
  /** Whether one of them may have a once key. */
  readonly keyed: boolean;
}

/**
 * Requests that this process accepted and that wait in the store. Where processes share it, each takes its own ones first, by their ids: the
 * result of a request that another process sent has to come back through the store, and two that take the first of all get in each other's
 * way. From time to time a claim takes the first of all that wait, and goes on so while it finds requests of this process that are not known
 * here: those to be tried again, and those from before a restart.
 */
export class OwnRequests {
  readonly #keyed = new Map<number, boolean>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  add(id: number, keyed: boolean): void {
    if (this.#keyed.size < MOST) {
      this.#keyed.set(id, keyed);
    }
  }

  /** What a claim has brought that took the first of all. @param me this process */
  found(requests: readonly Found[], me: string): void {
    if (requests.some(({ id, resultOwner }) => resultOwner === me && !this.#keyed.has(id))) {
      this.#lookedAt = Number.NEGATIVE_INFINITY;
    }
  }

  /** Somebody has claimed it. */
  delete(id: number): void {
    this.#keyed.delete(id);
  }

  /** Gives away what the next claim asks for. @param most requests that can be claimed @param now ms, of a clock that is not set */
  next(most: number, now: number): OwnClaim | null {
    if (this.#keyed.size < most || now - this.#lookedAt >= LOOK) {
      this.#lookedAt = now;
      return null;
    }
    const ids: number[] = [];
    let keyed = false;
    for (const [id, hasKey] of this.#keyed) {
      if (ids.length === most) {
        break;
      }
      ids.push(id);
      keyed ||= hasKey;
      this.#keyed.delete(id);
    }
    return { ids, keyed };
  }
}
