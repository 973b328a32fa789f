import { type ListNode, LinkedList } from "./linked-list";

/** An entry that is woken after the wait of its timer. */
export interface TimerEntry {
  /** `performance.now()` at which its wait began. */
  asleepSince: number;
  wake(): void;
}

/** One timer for all entries with the same wait: a timer for each would cost more than all else that a deadline does. */
export class SharedTimer {
  static readonly #byWait = new Map<number, SharedTimer>();

  /** @param wait ms; only a few different values, since each keeps its timer object */
  static after(wait: number): SharedTimer {
    let timer = SharedTimer.#byWait.get(wait);
    if (timer === undefined) {
      timer = new SharedTimer(wait);
      SharedTimer.#byWait.set(wait, timer);
    }
    return timer;
  }

  readonly #entries = new LinkedList<TimerEntry>();
  #timer: NodeJS.Timeout | null = null;

  private constructor(private readonly wait: number) {}

  add(entry: TimerEntry): ListNode<TimerEntry> {
    if (this.#timer === null) {
      this.#set(this.wait);
    } else if (this.#entries.size === 0) {
      this.#timer.ref();
    }
    return this.#entries.add(entry);
  }

  remove(node: ListNode<TimerEntry>): void {
    this.#entries.remove(node);
    if (this.#entries.size === 0) {
      // No entry waits, so the timer does not keep the process alive.
      this.#timer?.unref();
    }
  }

  #set(wait: number): void {
    // Input that arrived while the event loop was blocked is handled before an entry wakes.
    this.#timer = setTimeout(() => setImmediate(() => this.#wake()), wait);
  }

  #wake(): void {
    this.#timer = null;
    const now = performance.now();
    const late: TimerEntry[] = [];
    for (let first = this.#entries.first; first !== null; first = this.#entries.first) {
      const left = (first.value as TimerEntry).asleepSince + this.wait - now;
      if (left > 0) {
        this.#set(Math.max(1, Math.ceil(left)));
        break;
      }
      late.push(first.value as TimerEntry);
      this.#entries.remove(first);
    }
    for (const entry of late) {
      entry.wake();
    }
  }
}
