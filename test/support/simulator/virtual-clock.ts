import type { Clock } from "../../../simulator/index";

/** A clock that goes on only when it is told to. */
export class VirtualClock implements Clock {
  readonly #timers = new Set<{ readonly due: number; readonly action: () => void }>();
  #now = Date.parse("2025-01-01T00:00:00Z");

  now = (): number => this.#now;

  after = (milliseconds: number, action: () => void): (() => void) => {
    const timer = { due: this.#now + milliseconds, action };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  get timers(): number {
    return this.#timers.size;
  }

  /** Goes on to the next timer, lets it act, and returns how long that took; null when there is none. */
  next(): number | null {
    const [first] = [...this.#timers].sort((a, b) => a.due - b.due);
    if (!first) return null;
    const passed = first.due - this.#now;
    this.#now = first.due;
    this.#timers.delete(first);
    first.action();
    return passed;
  }
}
