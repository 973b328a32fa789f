import { type Simulator, type SimulatorOptions, startSimulator } from "../../../simulator/index";
import { ServiceClient } from "./service-client";
import { until } from "./until";

/** A simulator with a client of its main account. */
export type TestSimulator = Simulator &
  ServiceClient & {
    /** Closes the running simulator and starts another one in its place. */
    restart(options: SimulatorOptions): Promise<void>;
    /** Resolves once the main account has no event on its way. */
    settled(): Promise<void>;
  };

/**
 * Starts one simulator for the suite that calls this, resets its main account before each test, and closes it at the
 * end. The result is filled when the first hook runs.
 */
export function useSimulator(options: SimulatorOptions = {}): TestSimulator {
  const simulator = holder();
  before(() => simulator.restart(options));
  beforeEach(() => simulator.main.reset());
  after(() => simulator.close());
  return simulator;
}

/** Starts a simulator before each test and closes it after the test. */
export function useFreshSimulator(options: () => SimulatorOptions = () => ({})): TestSimulator {
  const simulator = holder();
  beforeEach(() => simulator.restart(options()));
  afterEach(() => simulator.close());
  return simulator;
}

/** Gives a function that starts a simulator, which is closed after the test at the latest. */
export function useSimulators(): (options?: SimulatorOptions) => Promise<TestSimulator> {
  const started: TestSimulator[] = [];
  afterEach(() => Promise.all(started.splice(0).map((each) => each.close())));
  return async (options = {}) => {
    const simulator = holder();
    await simulator.restart(options);
    started.push(simulator);
    return simulator;
  };
}

function holder(): TestSimulator {
  const simulator = Object.assign(new ServiceClient(""), {
    async restart(options: SimulatorOptions) {
      await simulator.close?.();
      Object.assign(simulator, await startSimulator(options));
    },
    settled: () => until(() => simulator.main.pendingDeliveries === 0),
  }) as TestSimulator;
  return simulator;
}
