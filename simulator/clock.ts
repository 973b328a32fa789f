/** Where the simulator reads the time; tests put their own here to let tokens expire. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
