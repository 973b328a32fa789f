import { FifoQueue } from "./fifo-queue";

/**
 * So many things at a time, the others wait: the one with the highest rank first, of equal ones the one that came
 * first. What is to be done starts within `add` where there is a free slot, and in a slot as soon as it is free.
 * One that waits costs a place in a list; promises and closures for each would be most of what a burst takes.
 */
export class WorkerPool<Entry> {
  readonly #lines: (FifoQueue<Entry> | undefined)[] = [];
  /** Numbers of the workers that are free; the one used last is taken first, since what belongs to it is warm. */
  readonly #free: number[] = [];
  /** Those that were freed while another was being filled. */
  readonly #freed: number[] = [];
  #freeing = false;
  #made = 0;
  #waiting = 0;

  /** @param work takes the slot, and has it freed when it is done; or says by false that there is nothing to do */
  constructor(
    private readonly size: number,
    private readonly work: (entry: Entry, slot: number) => boolean,
  ) {}

  get waiting(): number {
    return this.#waiting;
  }

  /** @param rank a whole number, 0 or a small one */
  add(entry: Entry, rank: number): void {
    const slot = this.#free.pop() ?? (this.#made < this.size ? this.#made++ : null);
    if (slot === null) {
      this.#lines[rank] ??= new FifoQueue();
      this.#lines[rank].add(entry);
      this.#waiting++;
    } else if (!this.work(entry, slot)) {
      this.free(slot);
    }
  }

  /** The work in this slot is done: the next one begins within the call. */
  free(slot: number): void {
    this.#freed.push(slot);
    if (this.#freeing) {
      // What ends as soon as it begins would else go deeper and deeper.
      return;
    }
    this.#freeing = true;
    for (let freed = this.#freed.pop(); freed !== undefined; freed = this.#freed.pop()) {
      this.#serve(freed);
    }
    this.#freeing = false;
  }

  #serve(slot: number): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (this.work(next, slot)) {
        return;
      }
    }
    this.#free.push(slot);
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
