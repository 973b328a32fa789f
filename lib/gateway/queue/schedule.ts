import { CancelSignal } from "../http/cancel-signal";
import type { Timing } from "../http/timing";

/** ms between two looks at the clock, which may have been set. Far below the longest timer of Node.js, 24.8 days. */
const STEP = 30_000;

interface Waiting<Entry> {
  readonly at: number;
  readonly entry: Entry;
}

/** Entries that wait for their moments, with one timer. */
export class Schedule<Entry> {
  /** By their moments; entries of the same moment keep their order. */
  #waiting: Waiting<Entry>[] = [];
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

  get isDue(): boolean {
    const first = this.#waiting[0];
    return first !== undefined && first.at <= this.timing.now();
  }

  /** @param at epoch ms */
  add(entry: Entry, at: number): void {
    const after = this.#waiting.findLastIndex((other) => other.at <= at);
    this.#waiting.splice(after + 1, 0, { at, entry });
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
    const first = this.#waiting.shift();
    if (!this.isDue) {
      this.#look.stop();
    }
    return first?.entry;
  }

  drop(isUseless: (entry: Entry) => boolean): void {
    this.#waiting = this.#waiting.filter(({ entry }) => !isUseless(entry));
    this.#look.stop();
  }

  async #run(): Promise<void> {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
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
}
