import { REAL_TIMING, type Timing } from "../../../gateway/http/timing";
import { Schedule } from "../../../gateway/queue/schedule";

/** Entries whose moment has come that are told in one turn of the event loop. */
const SLICE = 500;

/** A clock whose timer does not keep the process alive. */
export const QUIET_TIMING: Timing = {
  ...REAL_TIMING,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        release();
        resolve();
      };
      const timer = setTimeout(finish, ms).unref();
      let release = (): void => {};
      release = signal.onStop(finish);
    }),
};

/** Something that waits for its moment. */
export interface Timed {
  /** The timer has it. Set by the timer. */
  isTimed: boolean;
}

/** Tells when the moments of many entries have come, by one timer. */
export class WaitTimer<Entry extends Timed> {
  readonly #schedule: Schedule<Entry>;

  /** @param due receives entries whose moment has come, those of one moment in their order */
  constructor(
    timing: Timing,
    private readonly due: (entry: Entry) => void,
  ) {
    this.#schedule = new Schedule(timing, () => this.#take());
  }

  /** Entries in memory. */
  get size(): number {
    return this.#schedule.size;
  }

  /** @param at epoch ms */
  add(entry: Entry, at: number): void {
    if (!entry.isTimed) {
      entry.isTimed = true;
      this.#schedule.add(entry, at);
    }
  }

  /** The moment of an entry does not matter any more. */
  drop(entry: Entry): void {
    if (entry.isTimed) {
      entry.isTimed = false;
      this.#schedule.drop(1, (each) => !each.isTimed);
    }
  }

  /** Forgets all entries, so that no timer is left. */
  clear(): void {
    this.#schedule.drop(this.#schedule.size, (entry) => {
      entry.isTimed = false;
      return true;
    });
  }

  #take(): void {
    for (let n = 0; n < SLICE; n++) {
      const entry = this.#schedule.take();
      if (entry === undefined) {
        return;
      }
      if (entry.isTimed) {
        entry.isTimed = false;
        this.due(entry);
      }
    }
    if (this.#schedule.isDue) {
      setImmediate(() => this.#take());
    }
  }
}
