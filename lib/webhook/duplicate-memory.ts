import { type Entry, ExpiringCounts } from "./expiring-counts";

/** Limits of the memory: age in ms, number of entries. */
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

/** ms for which cut answers and seen keys are kept: a service redelivers sooner than that. */
export const SHORT_MEMORY = 600_000;

/** Keys of earlier events: *done* (acknowledged), *cut* (their answer was; each explains one redelivery), *seen* (maybe a duplicate). */
export class DuplicateMemory {
  readonly #done: ExpiringCounts;
  readonly #cut: ExpiringCounts;
  readonly #seen: ExpiringCounts;
  #changes = 0;
  #tell: () => void = () => {};

  constructor({ age, most }: MemoryLimits, now: () => number = Date.now) {
    this.#done = new ExpiringCounts(age, most, now);
    this.#cut = new ExpiringCounts(SHORT_MEMORY, most, now);
    this.#seen = new ExpiringCounts(SHORT_MEMORY, most, now);
  }

  /** Calls back after every change that is to be stored. */
  onChange(tell: () => void): void {
    this.#tell = tell;
  }

  /** Number of changes that are to be stored. */
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

  /** The answer to an event without a unique key was cut off. */
  noteCut(key: string): void {
    this.#cut.add(key, 1);
    this.#changed();
  }

  /** Whether a cut answer explains this copy. Each explains one copy. */
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

  /** Restores the state that a store holds. Any other value is ignored. */
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
