/** A first-in, first-out queue. Taking an entry takes constant time. */
export class FifoQueue<Entry> {
  #entries: (Entry | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#entries.length - this.#head;
  }

  /** The one that is taken next, which stays. */
  get first(): Entry | undefined {
    return this.#entries[this.#head];
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

  /** Removes the entries that match. The order stays. @returns the removed entries */
  takeAll(matches: (entry: Entry) => boolean): Entry[] {
    const all = this.#entries.slice(this.#head) as Entry[];
    this.#entries = all.filter((entry) => !matches(entry));
    this.#head = 0;
    return all.filter(matches);
  }
}
