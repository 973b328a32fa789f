import { type Entry, ExpiringCounts } from "./expiring-counts";

/** How much is remembered: ms, and entries. */
export interface MemoryLimits {
  readonly age: number;
  readonly most: number;
}

/** The memory as plain JSON, fit for any context store. Times in epoch ms. */
export interface MemoryState {
  readonly version: 1;
  readonly done: readonly Entry[];
  readonly cut: readonly Entry[];
  readonly seen: readonly Entry[];
}

/** ms within which a service comes back after its connection broke, and in which a likeness is worth a hint. */
const SHORT = 600_000;

/**
 * What a receiver knows of earlier events, by their keys. Three things: events that are *done* (acknowledged, and
 * told apart by their key for certain); answers that were *cut* off, each of which explains one redelivery; and
 * keys *seen* lately, which makes a copy suspicious but no more.
 */
export class DuplicateMemory {
  readonly #done: ExpiringCounts;
  readonly #cut: ExpiringCounts;
  readonly #seen: ExpiringCounts;
  #changes = 0;
  #tell: () => void = () => {};

  constructor({ age, most }: MemoryLimits, now: () => number = Date.now) {
    this.#done = new ExpiringCounts(age, most, now);
    this.#cut = new ExpiringCounts(SHORT, most, now);
    this.#seen = new ExpiringCounts(SHORT, most, now);
  }

  /** Calls back after everything that is worth storing. */
  onChange(tell: () => void): void {
    this.#tell = tell;
  }

  /** Grows with everything that is worth storing. */
  get changes(): number {
    return this.#changes;
  }

  isDone(key: string): boolean {
    return this.#done.has(key);
  }

  noteDone(key: string): void {
    this.#done.set(key, 1);
    this.#changed();
  }

  /** An answer to an event without an identity of its own did not get through. */
  noteCut(key: string): void {
    this.#cut.add(key, 1);
    this.#changed();
  }

  /** Whether a cut answer explains this copy; it explains one only. */
  takeCut(key: string): boolean {
    const taken = this.#cut.take(key);
    if (taken) {
      this.#changed();
    }
    return taken;
  }

  wasSeen(key: string): boolean {
    return this.#seen.has(key);
  }

  noteSeen(key: string): void {
    this.#seen.set(key, 1);
    this.#changed();
  }

  state(): MemoryState {
    return {
      version: 1,
      done: this.#done.entries(),
      cut: this.#cut.entries(),
      seen: this.#seen.entries(),
    };
  }

  /** Takes over what a store holds; anything that is no state of ours counts as nothing. */
  restore(state: unknown): void {
    const { version, done, cut, seen } = (state ?? {}) as Partial<Record<keyof MemoryState, unknown>>;
    if (version !== 1) {
      return;
    }
    this.#done.restore(done);
    this.#cut.restore(cut);
    this.#seen.restore(seen);
  }

  #changed(): void {
    this.#changes++;
    this.#tell();
  }
}
