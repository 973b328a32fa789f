/** Source of time. Tests replace it to make tokens expire and retries become due. */
export interface Clock {
  now(): number;
  /** Runs an action later. Returns a function that cancels it. Default: real timers. */
  after?(milliseconds: number, action: () => void): () => void;
}

export const systemClock: Clock = { now: () => Date.now() };

export function after(clock: Clock, milliseconds: number, action: () => void): () => void {
  if (clock.after) return clock.after(milliseconds, action);
  const timer = setTimeout(action, milliseconds).unref();
  return () => clearTimeout(timer);
}
