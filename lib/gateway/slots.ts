/** Entries in the order of their coming; taking one costs the same however many wait. */
class Line<Entry> {
  #entries: (Entry | undefined)[] = [];
  #head = 0;

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
}

/**
 * So many things at a time, the others wait: the one with the highest rank first, of equal ones the one that came
 * first. What is to be done starts within `add` where there is a free slot. One that waits costs a place in a list;
 * a general queue makes promises and closures for each, which is most of what a burst of messages would take.
 */
export class Slots<Entry> {
  readonly #lines: (Line<Entry> | undefined)[] = [];
  #busy = 0;

  /** @param work must not reject */
  constructor(
    private readonly size: number,
    private readonly work: (entry: Entry) => Promise<void>,
  ) {}

  /** @param rank a whole number, 0 or a small one */
  add(entry: Entry, rank: number): void {
    if (this.#busy < this.size) {
      this.#busy++;
      void this.#serve(entry);
    } else {
      this.#lines[rank] ??= new Line();
      this.#lines[rank].add(entry);
    }
  }

  /** Works in one slot until nobody waits. */
  async #serve(entry: Entry): Promise<void> {
    for (let next: Entry | undefined = entry; next !== undefined; next = this.#next()) {
      await this.work(next);
    }
    this.#busy--;
  }

  #next(): Entry | undefined {
    for (let rank = this.#lines.length - 1; rank >= 0; rank--) {
      const entry = this.#lines[rank]?.take();
      if (entry !== undefined) {
        return entry;
      }
    }
    return undefined;
  }
}
