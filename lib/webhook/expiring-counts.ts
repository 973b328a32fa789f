export type Entry = readonly [key: string, at: number, count: number];

const isEntry = (entry: unknown): entry is Entry =>
  Array.isArray(entry) &&
  typeof entry[0] === "string" &&
  Number.isFinite(entry[1]) &&
  Number.isInteger(entry[2]) &&
  entry[2] > 0;

/** The count is 0 once it is forgotten, or a younger one stands in its place. */
type Counted = [key: string, at: number, count: number];

/** Forgotten ones in front that are worth a shorter list. */
const MANY = 1024;

/**
 * Counts by key that are forgotten when they are old or too many: the oldest first. Times in epoch ms.
 *
 * The order of age stands in a list of its own. A `Map` has it too, but looks for its first entry among all the
 * places where others were deleted before: with thousands of entries, that takes longer than all else that is done
 * with an event.
 */
export class ExpiringCounts {
  readonly #entries = new Map<string, Counted>();
  /** By age, from `#first` on; forgotten ones among them. */
  #order: Counted[] = [];
  #first = 0;

  constructor(
    private readonly age: number,
    private readonly most: number,
    private readonly now: () => number,
  ) {}

  has(key: string): boolean {
    this.#expire();
    return this.#entries.has(key);
  }

  /** Replaces the count, and makes the entry young again. */
  set(key: string, count: number): void {
    this.#put(key, this.now(), count);
  }

  add(key: string, count: number): void {
    this.set(key, (this.#entries.get(key)?.[2] ?? 0) + count);
  }

  /** Takes one off; false where there is none. */
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

  /**
   * All of them, the oldest first. The entries themselves and no copies, which would be thousands each time the
   * memory is stored; their counts go on changing.
   */
  entries(): Entry[] {
    this.#expire();
    return this.#order.slice(this.#first).filter(([, , count]) => count > 0);
  }

  /** Puts entries of an earlier life before those that are here already. */
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

  /** The oldest that is not forgotten. */
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
