import { Line } from "./line";

/**
 * So many things at a time, the others wait: the one with the highest rank first, of equal ones the one that came
 * first. What is to be done starts within `add` where there is a free slot. One that waits costs a place in a list;
 * a general queue makes promises and closures for each, which is most of what a burst of messages would take.
 */
export class Slots<Entry> {
  readonly #lines: (Line<Entry> | undefined)[] = [];
  #busy = 0;
  #waiting = 0;

  /** @param work must not reject */
  constructor(
    private readonly size: number,
    private readonly work: (entry: Entry) => Promise<void>,
  ) {}

  get waiting(): number {
    return this.#waiting;
  }

  /** @param rank a whole number, 0 or a small one */
  add(entry: Entry, rank: number): void {
    if (this.#busy < this.size) {
      this.#busy++;
      void this.#serve(entry);
    } else {
      this.#lines[rank] ??= new Line();
      this.#lines[rank].add(entry);
      this.#waiting++;
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
        this.#waiting--;
        return entry;
      }
    }
    return undefined;
  }
}
