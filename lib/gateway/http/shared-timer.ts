import { type ListNode, LinkedList } from "./linked-list";

/** What wants to be looked at after some time. */
export interface TimerEntry {
  /** `performance.now()` of its going to sleep. */
  asleepSince: number;
  wake(): void;
}

/**
 * SharedTimer all who sleep equally long by one timer: they wake in the order in which they came, and nearly all leave
 * before. A timer for each would cost more than all else that a deadline does.
 */
export class SharedTimer {
  static readonly #byWait = new Map<number, SharedTimer>();

  /** @param wait ms; a few values in all, since each stays known */
  static after(wait: number): SharedTimer {
    let wakes = SharedTimer.#byWait.get(wait);
    if (wakes === undefined) {
      wakes = new SharedTimer(wait);
      SharedTimer.#byWait.set(wait, wakes);
    }
    return wakes;
  }

  readonly #sleepers = new LinkedList<TimerEntry>();
  #timer: NodeJS.Timeout | null = null;

  private constructor(private readonly wait: number) {}

  add(sleeper: TimerEntry): ListNode<TimerEntry> {
    if (this.#timer === null) {
      this.#set(this.wait);
    } else if (this.#sleepers.size === 0) {
      this.#timer.ref();
    }
    return this.#sleepers.add(sleeper);
  }

  remove(place: ListNode<TimerEntry>): void {
    this.#sleepers.remove(place);
    if (this.#sleepers.size === 0) {
      // Nobody is kept waiting by it, so it may not keep the process.
      this.#timer?.unref();
    }
  }

  #set(wait: number): void {
    // What came while this process was busy with something else is heard before anybody wakes.
    this.#timer = setTimeout(() => setImmediate(() => this.#wake()), wait);
  }

  #wake(): void {
    this.#timer = null;
    const now = performance.now();
    const late: TimerEntry[] = [];
    for (let first = this.#sleepers.first; first !== null; first = this.#sleepers.first) {
      const left = (first.value as TimerEntry).asleepSince + this.wait - now;
      if (left > 0) {
        this.#set(Math.max(1, Math.ceil(left)));
        break;
      }
      late.push(first.value as TimerEntry);
      this.#sleepers.remove(first);
    }
    for (const sleeper of late) {
      sleeper.wake();
    }
  }
}
