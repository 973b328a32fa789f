/** Timers of the code under test end after a fraction of their time, before and after each test of a suite. */
export function useShortTimers(factor = 50): void {
  const real = { setTimeout: globalThis.setTimeout, setInterval: globalThis.setInterval };
  before(() => {
    const shorten =
      (timer: typeof setTimeout | typeof setInterval) =>
      (run: () => void, ms = 0) =>
        timer(run, ms / factor);
    Object.assign(globalThis, {
      setTimeout: shorten(real.setTimeout),
      setInterval: shorten(real.setInterval),
    });
  });
  after(() => void Object.assign(globalThis, real));
}
