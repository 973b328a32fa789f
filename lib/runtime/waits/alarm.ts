import { CancelSignal } from "../../gateway/http/cancel-signal";
import type { Timing } from "../../gateway/http/timing";

/**
 * ms between two looks at the clock: how late it rings at most after the clock was set, or after the computer slept. Also keeps far
 * below the longest timer of Node.js, 24.8 days.
 */
const STEP = 30_000;

/** Rings at one moment, which may be months away. Has one timer while it is set, and none else. */
export class Alarm {
  /** Epoch ms; null while it is not set. */
  #at: number | null = null;
  #sleep: CancelSignal | null = null;
  /** Epoch ms at which the present sleep ends. */
  #looksAt = 0;
  #closed = false;

  constructor(
    private readonly timing: Timing,
    private readonly ring: () => void,
  ) {}

  /** Rings at this moment and no longer at the one before. @param at epoch ms; null: not at all */
  set(at: number | null): void {
    if (this.#closed) {
      return;
    }
    this.#at = at;
    if (this.#sleep === null) {
      if (at !== null) {
        void this.#run();
      }
    } else if (at === null || at < this.#looksAt) {
      this.#sleep.stop();
    }
  }

  close(): void {
    this.#closed = true;
    this.#at = null;
    this.#sleep?.stop();
  }

  async #run(): Promise<void> {
    while (this.#at !== null) {
      const now = this.timing.now();
      const left = this.#at - now;
      if (left <= 0) {
        this.#at = null;
        this.ring();
        continue;
      }
      const wait = Math.min(left, STEP);
      this.#looksAt = now + wait;
      this.#sleep = new CancelSignal();
      await this.timing.sleep(wait, this.#sleep);
    }
    this.#sleep = null;
  }
}
