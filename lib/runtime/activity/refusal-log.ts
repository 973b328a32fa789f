import { type ActivityEntry, MOST_REFUSALS, type RefusalEntry } from "../../shared/activity";

/** An entry before it gets its id and time. */
export type NewEntry = Omit<ActivityEntry, "id" | "at">;

interface Stored {
  readonly entry: RefusalEntry;
  /** Number of the last change of the entry. */
  readonly change: number;
}

/**
 * The refused calls of all webhooks: one entry for each node and reason, with a count. Holds `MOST_REFUSALS` entries; the one
 * with the oldest call is removed first.
 */
export class RefusalLog {
  #stored: Stored[] = [];
  #ids = 0;
  #changes = 0;

  /** Number of changes so far; `clear` does not reset it. */
  get changes(): number {
    return this.#changes;
  }

  add(refusal: NewEntry, at: number): void {
    const found = this.#stored.findIndex(({ entry }) => isEqual(entry, refusal));
    // The entry moves to the end, where the newest is.
    const before = found < 0 ? undefined : this.#stored.splice(found, 1)[0]?.entry;
    this.#stored.push({
      entry: {
        ...refusal,
        result: "refused",
        id: before?.id ?? ++this.#ids,
        at,
        since: before?.since ?? at,
        times: (before?.times ?? 0) + 1,
      },
      change: ++this.#changes,
    });
    if (this.#stored.length > MOST_REFUSALS) {
      this.#stored.shift();
    }
  }

  /** Entries that changed after this change, the newest last; 0 for all. */
  changedAfter(change: number): RefusalEntry[] {
    return this.#stored.filter((stored) => stored.change > change).map(({ entry }) => entry);
  }

  clear(): void {
    this.#stored = [];
  }
}

function isEqual(one: NewEntry, other: NewEntry): boolean {
  return (
    one.node === other.node &&
    one.name === other.name &&
    one.code === other.code &&
    one.simulated === other.simulated
  );
}
