export class BoundedLog<Entry> {
  /** Oldest first; always the same array. */
  readonly entries: readonly Entry[] = [];
  readonly #entries = this.entries as Entry[];
  #total = 0;

  constructor(private readonly maxEntries: number) {}

  get total(): number {
    return this.#total;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    this.#total += 1;
    if (this.#entries.length > this.maxEntries) this.#entries.shift();
  }

  clear(): void {
    this.#entries.length = 0;
    this.#total = 0;
  }
}
