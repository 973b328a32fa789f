/** Entries in the order of their coming; taking one costs the same however many wait. */
export class FifoQueue<Entry> {
  #entries: (Entry | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#entries.length - this.#head;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
  }

  take(): Entry | undefined {
    const entry = this.#entries[this.#head];
    if (entry === undefined) {
      return undefined;
    }
    this.#entries[this.#head++] = undefined;
    if (this.#head === this.#entries.length) {
      this.#entries = [];
      this.#head = 0;
    } else if (this.#head >= 1024 && this.#head * 2 >= this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
    return entry;
  }

  /** Takes out those that are meant, in their order; the others stay in theirs. */
  takeAll(meant: (entry: Entry) => boolean): Entry[] {
    const all = this.#entries.slice(this.#head) as Entry[];
    this.#entries = all.filter((entry) => !meant(entry));
    this.#head = 0;
    return all.filter(meant);
  }
}
