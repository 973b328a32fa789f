import type { CancelSignal } from "../../lib/gateway/http/cancel-signal";
import type { Timing } from "../../lib/gateway/http/timing";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that moves only when told to, while sockets go on in real time. */
export class VirtualTiming implements Timing {
  readonly #sleepers = new Set<Sleeper>();
  /** Every sleep asked for, in ms, in order. */
  readonly slept: number[] = [];
  #time: number;
  nextRandom = 0;

  constructor(start = Date.parse("2025-01-01T00:00:00Z")) {
    this.#time = start;
  }

  now = (): number => this.#time;
  elapsed = (): number => this.#time;
  random = (): number => this.nextRandom;

  get sleeping(): number {
    return this.#sleepers.size;
  }

  sleep = (ms: number, gate: CancelSignal): Promise<void> =>
    new Promise((resolve) => {
      this.slept.push(ms);
      let release = (): void => {};
      const sleeper = {
        at: this.#time + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          release();
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      release = gate.onStop(sleeper.wake);
    });

  /** Lets `ms` pass: sleepers wake in order, each at its own moment, with time to act before the next. */
  async advance(ms: number): Promise<void> {
    // What can go on without time passing does so first.
    await breathe();
    const end = this.#time + ms;
    for (;;) {
      const [next] = [...this.#sleepers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) {
        break;
      }
      this.#time = Math.max(this.#time, next.at);
      next.wake();
      await breathe();
    }
    this.#time = end;
    await breathe();
  }
}

/** Lets promises and a turn of the event loop go by. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
