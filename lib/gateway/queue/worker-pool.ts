/**
 * A pool of workers with a queue: the highest rank first, then first in, first out. Work starts within `add` while a
 * worker is free, else as soon as one becomes free.
 */
export class WorkerPool<Entry> {
  /** By rank. */
  readonly #queues: (Entry[] | undefined)[] = [];
  /** Numbers of the free workers. The last one used is taken first, since its connection is warm. */
  readonly #free: number[] = [];
  /** Workers that became free while another one was started. */
  readonly #freed: number[] = [];
  #freeing = false;
  #made = 0;
  #waiting = 0;

  /** @param work takes the worker and calls `free` when done; returns false when there is nothing to do */
  constructor(
    private readonly size: number,
    private readonly work: (entry: Entry, worker: number) => boolean,
    /** Called when a worker has nothing to do. */
    private readonly onIdle: () => void = () => {},
  ) {}

  /** Workers that have nothing to do. */
  get idle(): number {
    return this.#waiting > 0 ? 0 : this.#free.length + this.size - this.#made;
  }

  /** @param rank a whole number, 0 or a small one */
  add(entry: Entry, rank: number): void {
    const worker = this.#free.pop() ?? (this.#made < this.size ? this.#made++ : null);
    if (worker === null) {
      this.#queues[rank] ??= [];
      this.#queues[rank].push(entry);
      this.#waiting++;
    } else if (!this.work(entry, worker)) {
      this.free(worker);
    }
  }

  /** The work of this worker is done. The next work starts within the call. */
  free(worker: number): void {
    this.#freed.push(worker);
    if (this.#freeing) {
      // Avoids recursion where work ends as soon as it begins.
      return;
    }
    this.#freeing = true;
    for (let freed = this.#freed.pop(); freed !== undefined; freed = this.#freed.pop()) {
      this.#serve(freed);
    }
    this.#freeing = false;
  }

  #serve(worker: number): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      if (this.work(next, worker)) {
        return;
      }
    }
    this.#free.push(worker);
    this.onIdle();
  }

  #next(): Entry | undefined {
    for (let rank = this.#queues.length - 1; rank >= 0; rank--) {
      const entry = this.#queues[rank]?.shift();
      if (entry !== undefined) {
        this.#waiting--;
        return entry;
      }
    }
    return undefined;
  }
}
