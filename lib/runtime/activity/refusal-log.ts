import { type ActivityEntry, MOST_REFUSALS, type RefusalEntry } from "../../shared/activity";

/** An entry before it has its place in the log. */
export type NewEntry = Omit<ActivityEntry, "id" | "at">;

interface Kept {
  readonly entry: RefusalEntry;
  /** Number of the change that made it what it is. */
  readonly change: number;
}

/**
 * The refused calls of all webhooks: one entry for each node and reason, with a count. Of more than `MOST_REFUSALS` the
 * one that was longest ago goes.
 */
export class RefusalLog {
  #kept: Kept[] = [];
  #ids = 0;
  #changes = 0;

  /** Counts up with each refusal; `clear` does not set it back. */
  get changes(): number {
    return this.#changes;
  }

  add(refusal: NewEntry, at: number): void {
    const found = this.#kept.findIndex(({ entry }) => isEqual(entry, refusal));
    // Gone from its old place: the newest stands last.
    const before = found < 0 ? undefined : this.#kept.splice(found, 1)[0]?.entry;
    this.#kept.push({
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
    if (this.#kept.length > MOST_REFUSALS) {
      this.#kept.shift();
    }
  }

  /** Entries that changed after this change, the one refused last at the end; 0 for all. */
  changedAfter(change: number): RefusalEntry[] {
    return this.#kept.filter((kept) => kept.change > change).map(({ entry }) => entry);
  }

  clear(): void {
    this.#kept = [];
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
