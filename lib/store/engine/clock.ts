/** The time that a store goes by; tests have one of their own. */
export interface Clock {
  /** Epoch ms. Jumps when the computer's clock is set. */
  readonly now: () => number;
  /** ms since some moment; never runs backwards, and goes on while the process is stopped where the system allows it. */
  readonly elapsed: () => number;
}

export const SYSTEM_CLOCK: Clock = { now: () => Date.now(), elapsed: () => performance.now() };
