import { type ActivityEntry, MOST_REFUSALS, type RefusalEntry } from "../../shared/activity";

/** An entry before it gets its id and time. */
export type NewEntry = Omit<ActivityEntry, "id" | "at">;

/**
 * The refused calls of all webhooks: one entry for each node and reason, with a count. Holds `MOST_REFUSALS` entries; the one
 * with the oldest call is removed first.
 */
export class RefusalLog {
  #entries: RefusalEntry[] = [];
  #ids = 0;

  /** The newest last. */
  get entries(): readonly RefusalEntry[] {
    return [...this.#entries];
  }

  add(refusal: NewEntry, at: number): void {
    const found = this.#entries.findIndex((entry) => isEqual(entry, refusal));
    // The entry moves to the end, where the newest is.
    const before = found < 0 ? undefined : this.#entries.splice(found, 1)[0];
    this.#entries.push({
      ...refusal,
      result: "refused",
      id: before?.id ?? ++this.#ids,
      at,
      since: before?.since ?? at,
      times: (before?.times ?? 0) + 1,
    });
    if (this.#entries.length > MOST_REFUSALS) {
      this.#entries.shift();
    }
  }

  clear(): void {
    this.#entries = [];
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
