/** Source of time. Tests replace it to make tokens expire and retries become due. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Runs an action after this many milliseconds of this clock. Returns a function that cancels it. A clock without
   * this method uses real timers.
   */
  after?(milliseconds: number, action: () => void): () => void;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Runs an action later; returns a function that cancels it. Does not keep the process alive. */
export function after(clock: Clock, milliseconds: number, action: () => void): () => void {
  if (clock.after) return clock.after(milliseconds, action);
  const timer = setTimeout(action, milliseconds).unref();
  return () => clearTimeout(timer);
}
