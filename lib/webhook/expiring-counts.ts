type Entry = readonly [key: string, at: number, count: number];

const isEntry = (entry: unknown): entry is Entry =>
  Array.isArray(entry) &&
  typeof entry[0] === "string" &&
  Number.isFinite(entry[1]) &&
  Number.isInteger(entry[2]) &&
  entry[2] > 0;

/** Counts by key that are forgotten when they are old or too many: the oldest first. Times in epoch ms. */
export class ExpiringCounts {
  readonly #entries = new Map<string, { at: number; count: number }>();

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
    this.set(key, (this.#entries.get(key)?.count ?? 0) + count);
  }

  /** Takes one off; false where there is none. */
  take(key: string): boolean {
    this.#expire();
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      return false;
    }
    entry.count--;
    if (entry.count === 0) {
      this.#entries.delete(key);
    }
    return true;
  }

  entries(): Entry[] {
    this.#expire();
    return Array.from(this.#entries, ([key, { at, count }]) => [key, at, count] as const);
  }

  /** Puts entries of an earlier life before those that are here already. */
  restore(saved: unknown): void {
    const present = this.entries();
    this.#entries.clear();
    for (const [key, at, count] of [...(Array.isArray(saved) ? saved.filter(isEntry) : []), ...present]) {
      this.#put(key, at, count);
    }
    this.#expire();
  }

  #put(key: string, at: number, count: number): void {
    // Out and in again, so that the map stays in the order of age.
    this.#entries.delete(key);
    this.#entries.set(key, { at, count });
    if (this.#entries.size > this.most) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
  }

  #expire(): void {
    const oldest = this.now() - this.age;
    for (const [key, { at }] of this.#entries) {
      if (at > oldest) {
        return;
      }
      this.#entries.delete(key);
    }
  }
}
