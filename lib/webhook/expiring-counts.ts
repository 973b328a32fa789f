export type Entry = readonly [key: string, at: number, count: number];

const isEntry = (entry: unknown): entry is Entry =>
  Array.isArray(entry) &&
  typeof entry[0] === "string" &&
  Number.isFinite(entry[1]) &&
  Number.isInteger(entry[2]) &&
  entry[2] > 0;

/** The count is 0 once the entry is removed or replaced. */
type Counted = [key: string, at: number, count: number];

/** Removed entries that the list may hold before it is compacted. */
const MANY = 1024;

/**
 * Counts by key with a maximum age and number; the oldest are removed first. Times in epoch ms.
 *
 * A separate list holds the order of age. A `Map` has the same order, but skips all deleted entries to find its first
 * one, which with thousands of entries takes longer than the rest of the work for an event.
 */
export class ExpiringCounts {
  readonly #entries = new Map<string, Counted>();
  /** By age, from `#first` on, removed entries included. */
  #order: Counted[] = [];
  #first = 0;

  constructor(
    private readonly age: number,
    private readonly most: number,
    private readonly now: () => number,
  ) {}

  /** Whether the oldest entry makes way for another one. */
  get isFull(): boolean {
    this.#expire();
    return this.#entries.size >= this.most;
  }

  has(key: string): boolean {
    this.#expire();
    return this.#entries.has(key);
  }

  /** When the entry was set last; null for a missing one. */
  timeOf(key: string): number | null {
    this.#expire();
    return this.#entries.get(key)?.[1] ?? null;
  }

  /** Sets the count and the time of the entry. */
  set(key: string, count: number): void {
    this.#put(key, this.now(), count);
  }

  add(key: string, count: number): void {
    this.set(key, (this.#entries.get(key)?.[2] ?? 0) + count);
  }

  /** Reduces the count by one; false for a missing entry. */
  take(key: string): boolean {
    this.#expire();
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      return false;
    }
    entry[2]--;
    if (entry[2] === 0) {
      this.#entries.delete(key);
    }
    return true;
  }

  /** All entries, the oldest first: the entries themselves, whose counts go on changing. Copies would be thousands of objects. */
  entries(): Entry[] {
    this.#expire();
    return this.#order.slice(this.#first).filter(([, , count]) => count > 0);
  }

  /** Puts stored entries before the present ones. */
  restore(saved: unknown): void {
    const present = this.entries();
    this.#entries.clear();
    this.#order = [];
    this.#first = 0;
    for (const [key, at, count] of [...(Array.isArray(saved) ? saved.filter(isEntry) : []), ...present]) {
      this.#put(key, at, count);
    }
    this.#expire();
  }

  #put(key: string, at: number, count: number): void {
    const before = this.#entries.get(key);
    if (before !== undefined) {
      before[2] = 0;
    }
    const entry: Counted = [key, at, count];
    this.#entries.set(key, entry);
    this.#order.push(entry);
    if (this.#entries.size > this.most) {
      this.#forget(this.#oldest());
    }
    if (this.#order.length > 2 * this.#entries.size + MANY) {
      this.#order = this.#order.filter(([, , each]) => each > 0);
      this.#first = 0;
    }
  }

  /** The oldest entry that is not removed. */
  #oldest(): Counted | undefined {
    let oldest = this.#order[this.#first];
    while (oldest !== undefined && oldest[2] === 0) {
      oldest = this.#order[++this.#first];
    }
    return oldest;
  }

  #forget(entry: Counted | undefined): void {
    if (entry !== undefined) {
      entry[2] = 0;
      this.#entries.delete(entry[0]);
    }
  }

  #expire(): void {
    const youngest = this.now() - this.age;
    for (
      let oldest = this.#oldest();
      oldest !== undefined && oldest[1] <= youngest;
      oldest = this.#oldest()
    ) {
      this.#forget(oldest);
    }
  }
}
