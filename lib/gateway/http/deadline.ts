import { LinkedList, type ListNode } from "./linked-list";

/** Bytes a second that a transfer must reach on average. Slower transfers are aborted, because they occupy a connection. */
const SLOWEST = 4096;

/**
 * Calls back when something takes too long. Without progress it expires after its allowance. Progress starts the
 * allowance again, but the total time is limited to what the transferred bytes take at the slowest rate: a large file has
 * time, a stalled transfer is aborted.
 */
export class Deadline {
  #allowance = 0;
  #began = 0;
  #last = 0;
  #bytes = 0;
  /** `performance.now()` of the next check. */
  #checksAt = 0;
  #stopped = false;
  /** `performance.now()` at which its wait in `#shared` began. */
  asleepSince = 0;
  /** Shared by all deadlines of the same length; after a check with time left, `#timer` is used instead. */
  #shared: SharedTimer | null = null;
  #node: ListNode<Deadline> | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** @param allowance ms */
  constructor(
    allowance: number,
    private readonly expire: () => void,
  ) {
    this.restart(allowance);
  }

  get #due(): number {
    const worth = this.#began + this.#allowance + (this.#bytes / SLOWEST) * 1000;
    return Math.min(this.#last + this.#allowance, worth);
  }

  progress(bytes: number): void {
    this.#last = performance.now();
    this.#bytes += bytes;
  }

  /** Starts again with another allowance in ms. A stopped deadline stays stopped. */
  restart(allowance: number): void {
    if (this.#stopped) {
      return;
    }
    const now = performance.now();
    this.#allowance = allowance;
    this.#began = this.#last = now;
    this.#bytes = 0;
    // An early check costs little.
    if (this.#checksAt === 0 || now + allowance < this.#checksAt) {
      this.#disarm();
      this.asleepSince = now;
      this.#checksAt = now + allowance;
      this.#shared = SharedTimer.after(Math.max(1, Math.ceil(allowance)));
      this.#node = this.#shared.add(this);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  #disarm(): void {
    if (this.#node !== null) {
      this.#shared?.remove(this.#node);
      this.#node = null;
    }
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
  }

  wake(): void {
    this.#node = null;
    this.#check();
  }

  #check(): void {
    if (this.#stopped) {
      return;
    }
    const now = performance.now();
    const left = this.#due - now;
    if (left > 0) {
      const wait = Math.max(1, Math.ceil(left));
      this.#checksAt = now + wait;
      // Input that arrived while the event loop was blocked is handled before the check.
      this.#timer = setTimeout(() => setImmediate(() => this.#check()), wait);
    } else {
      this.expire();
    }
  }
}

/** One timer for all entries with the same wait: a timer for each would cost more than all else that a deadline does. */
class SharedTimer {
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

  readonly #entries = new LinkedList<Deadline>();
  #timer: NodeJS.Timeout | null = null;

  private constructor(private readonly wait: number) {}

  add(entry: Deadline): ListNode<Deadline> {
    if (this.#timer === null) {
      this.#set(this.wait);
    } else if (this.#entries.size === 0) {
      this.#timer.ref();
    }
    return this.#entries.add(entry);
  }

  remove(node: ListNode<Deadline>): void {
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
    const late: Deadline[] = [];
    for (let first = this.#entries.first; first !== null; first = this.#entries.first) {
      const left = (first.value as Deadline).asleepSince + this.wait - now;
      if (left > 0) {
        this.#set(Math.max(1, Math.ceil(left)));
        break;
      }
      late.push(first.value as Deadline);
      this.#entries.remove(first);
    }
    for (const entry of late) {
      entry.wake();
    }
  }
}
