/** Where the simulator reads the time; tests put their own here to let tokens expire and retries come due. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Calls back after so many milliseconds of this clock, unless the function that it returns is called before.
   * Without it real timers are used, whatever `now` says.
   */
  after?(milliseconds: number, action: () => void): () => void;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Calls back later; returns what prevents it. Never a reason for the process to stay alive. */
export function after(clock: Clock, milliseconds: number, action: () => void): () => void {
  if (clock.after) return clock.after(milliseconds, action);
  const timer = setTimeout(action, milliseconds).unref();
  return () => clearTimeout(timer);
}
