import type { StopGate } from "./stop-gate";

/** The passing of time, so that tests can own it. Times in ms. */
export interface Timing {
  readonly now: () => number;
  /** 0 ≤ random < 1. */
  readonly random: () => number;
  /** Resolves after `ms`, or at once when the gate is stopped. Leaves no timer behind. */
  readonly sleep: (ms: number, gate: StopGate) => Promise<void>;
}

export const REAL_TIMING: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, gate) =>
    new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        release();
        resolve();
      };
      const timer = setTimeout(finish, Math.ceil(ms));
      let release = (): void => {};
      release = gate.onStop(finish);
    }),
};
