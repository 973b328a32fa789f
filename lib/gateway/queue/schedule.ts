import { CancelSignal } from "../http/cancel-signal";
import type { Timing } from "../http/timing";

/** ms between two looks at the clock, which may have been set. Far below the longest timer of Node.js, 24.8 days. */
const STEP = 30_000;

interface Waiting<Entry> {
  readonly at: number;
  /** Entries of the same moment keep their order. */
  readonly order: number;
  readonly entry: Entry;
}

const isBefore = (a: Waiting<unknown>, b: Waiting<unknown>): boolean =>
  a.at < b.at || (a.at === b.at && a.order < b.order);

/** Entries that wait for their moments: a heap and one timer, however many they are. */
export class Schedule<Entry> {
  #heap: Waiting<Entry>[] = [];
  #added = 0;
  #dropped = 0;
  #running = false;
  /** Ends the present sleep. */
  #look = new CancelSignal();
  /** Epoch ms at which the present sleep ends. */
  #looksAt = 0;

  /** @param onDue called when there may be something to take; called again as long as nothing is taken */
  constructor(
    private readonly timing: Timing,
    private readonly onDue: () => void,
  ) {}

  /** Entries that wait or are due, and dropped ones that are still in memory. */
  get size(): number {
    return this.#heap.length;
  }

  get isDue(): boolean {
    const first = this.#heap[0];
    return first !== undefined && first.at <= this.timing.now();
  }

  /** @param at epoch ms */
  add(entry: Entry, at: number): void {
    this.#push({ at, order: this.#added++, entry });
    if (!this.#running) {
      this.#running = true;
      void this.#run();
    } else if (at < this.#looksAt) {
      this.#look.stop();
    }
  }

  /** Removes the first entry whose moment has come. */
  take(): Entry | undefined {
    if (!this.isDue) {
      return undefined;
    }
    const { entry } = this.#pop();
    if (!this.isDue) {
      this.#look.stop();
    }
    return entry;
  }

  /** Entries have become useless. Removes those from memory when they are the most, so that each costs little. */
  drop(count: number, isUseless: (entry: Entry) => boolean): void {
    this.#dropped += count;
    if (this.#dropped * 2 >= this.#heap.length) {
      // A sorted list is a heap.
      this.#heap = this.#heap
        .filter(({ entry }) => !isUseless(entry))
        .sort((a, b) => (isBefore(a, b) ? -1 : 1));
      this.#dropped = 0;
      this.#look.stop();
    }
  }

  async #run(): Promise<void> {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      this.#look = new CancelSignal();
      const now = this.timing.now();
      const left = first.at - now;
      const wait = left > 0 ? Math.min(left, STEP) : STEP;
      this.#looksAt = now + wait;
      if (left <= 0) {
        this.onDue();
      }
      await this.timing.sleep(wait, this.#look);
    }
    this.#running = false;
  }

  #push(waiting: Waiting<Entry>): void {
    const heap = this.#heap;
    let at = heap.push(waiting) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && isBefore(waiting, heap[parent] as Waiting<Entry>); ) {
      heap[at] = heap[parent] as Waiting<Entry>;
      at = parent;
      parent = (at - 1) >> 1;
    }
    heap[at] = waiting;
  }

  #pop(): Waiting<Entry> {
    const heap = this.#heap;
    const first = heap[0] as Waiting<Entry>;
    const last = heap.pop() as Waiting<Entry>;
    if (heap.length > 0) {
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (
          child + 1 < heap.length &&
          isBefore(heap[child + 1] as Waiting<Entry>, heap[child] as Waiting<Entry>)
        ) {
          child++;
        }
        if (child >= heap.length || !isBefore(heap[child] as Waiting<Entry>, last)) {
          break;
        }
        heap[at] = heap[child] as Waiting<Entry>;
        at = child;
      }
      heap[at] = last;
    }
    return first;
  }
}
