/** Source of time. Tests replace it to make tokens expire and retries become due. */
export interface Clock {
  now(): number;
  /**
   * Runs an action after this many milliseconds of this clock. Returns a function that cancels it. A clock without
   * this method uses real timers.
   */
  after?(milliseconds: number, action: () => void): () => void;
}

export const systemClock: Clock = { now: () => Date.now() };

export function after(clock: Clock, milliseconds: number, action: () => void): () => void {
  if (clock.after) return clock.after(milliseconds, action);
  const timer = setTimeout(action, milliseconds).unref();
  return () => clearTimeout(timer);
}
