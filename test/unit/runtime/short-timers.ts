type TimerName = "setTimeout" | "setInterval";

/** Timers of the code under test end after a fraction of their time, before and after each test of a suite. */
export function useShortTimers(names: readonly TimerName[] = ["setTimeout", "setInterval"]): void {
  const factor = 50;
  const real = { setTimeout: globalThis.setTimeout, setInterval: globalThis.setInterval };
  before(() => {
    for (const name of names) {
      const timer = real[name];
      Object.assign(globalThis, { [name]: (run: () => void, ms = 0) => timer(run, ms / factor) });
    }
  });
  after(() => void Object.assign(globalThis, real));
}
