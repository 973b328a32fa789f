import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** ms for which this thread waited for a processor so far; 0 where the system does not say. */
function waited(): number {
  try {
    return Number(readFileSync("/proc/self/schedstat", "latin1").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** ms */
export interface Standstill {
  /** By the clock: what else the machine had to do counts as well. */
  readonly byClock: number;
  /** Less the time for which the thread could have run but got no processor. */
  readonly own: number;
}

const TICK_MS = 1;

/** Watches for how long the event loop of this process stands still at the most. */
export class StandstillWatch {
  readonly #histogram = monitorEventLoopDelay({ resolution: TICK_MS });
  readonly #timer: NodeJS.Timeout;
  #last = performance.now();
  #lastWaited = waited();
  #byClock = 0;
  #own = 0;

  constructor() {
    this.#histogram.enable();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  #tick(): void {
    const now = performance.now();
    const nowWaited = waited();
    const gap = now - this.#last - TICK_MS;
    this.#byClock = Math.max(this.#byClock, gap);
    this.#own = Math.max(this.#own, gap - (nowWaited - this.#lastWaited));
    this.#last = now;
    this.#lastWaited = nowWaited;
  }

  stop(): Standstill {
    this.#tick();
    clearInterval(this.#timer);
    this.#histogram.disable();
    return { byClock: Math.max(this.#byClock, this.#histogram.max / 1e6 - TICK_MS), own: this.#own };
  }
}
