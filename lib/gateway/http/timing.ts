import type { CancelSignal } from "./cancel-signal";

/** Times in ms. Tests replace it. */
export interface Timing {
  /** Epoch ms, which jump when the computer's clock is set. */
  readonly now: () => number;
  /** Never runs backwards, so that a clock set back cannot block a queue. */
  readonly elapsed: () => number;
  /** 0 ≤ random < 1. */
  readonly random: () => number;
  /** Resolves at once when the signal stops, and leaves no timer behind. */
  readonly sleep: (ms: number, signal: CancelSignal) => Promise<void>;
}

/** Node.js turns a longer timer into one of 1 ms. */
const MAX_TIMER = 2 ** 31 - 1;

export const REAL_TIMING: Timing = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        release();
        resolve();
      };
      const timer = setTimeout(finish, Math.min(Math.ceil(ms), MAX_TIMER));
      let release = (): void => {};
      release = signal.onStop(finish);
    }),
};
