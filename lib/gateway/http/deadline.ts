import type { ListNode } from "./linked-list";
import { type TimerEntry, SharedTimer } from "./shared-timer";

/** Bytes a second that a transfer must reach on the whole; slower ones are drips that hold a connection for ever. */
const SLOWEST = 4096;

/**
 * Ends what takes too long. Without progress it runs out after its allowance. Progress gives it a new allowance
 * from that moment, yet on the whole no more than the bytes moved are worth at the slowest rate: a file may take
 * its time, a drip may not.
 */
export class Deadline implements TimerEntry {
  #allowance = 0;
  #began = 0;
  #last = 0;
  #bytes = 0;
  /** When it is looked at. */
  #looksAt = 0;
  #stopped = false;
  asleepSince = 0;
  /** With the others that were given as long; a timer of its own where it was looked at and had time left. */
  #wakes: SharedTimer | null = null;
  #place: ListNode<TimerEntry> | null = null;
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

  /** Begins again with another allowance in ms; a stopped one stays stopped. */
  restart(allowance: number): void {
    if (this.#stopped) {
      return;
    }
    const now = performance.now();
    this.#allowance = allowance;
    this.#began = this.#last = now;
    this.#bytes = 0;
    // To be looked at too early costs one look.
    if (this.#looksAt === 0 || now + allowance < this.#looksAt) {
      this.#disarm();
      this.asleepSince = now;
      this.#looksAt = now + allowance;
      this.#wakes = SharedTimer.after(Math.max(1, Math.ceil(allowance)));
      this.#place = this.#wakes.add(this);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#disarm();
  }

  #disarm(): void {
    if (this.#place !== null) {
      this.#wakes?.remove(this.#place);
      this.#place = null;
    }
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
  }

  wake(): void {
    this.#place = null;
    this.#look();
  }

  #look(): void {
    if (this.#stopped) {
      return;
    }
    const now = performance.now();
    const left = this.#due - now;
    if (left > 0) {
      const wait = Math.max(1, Math.ceil(left));
      this.#looksAt = now + wait;
      // What came while this process was busy with something else is heard before it is judged.
      this.#timer = setTimeout(() => setImmediate(() => this.#look()), wait);
    } else {
      this.expire();
    }
  }
}
