import { type Simulator, type SimulatorOptions, startSimulator } from "../../../simulator/index";

/** A simulator that tests can restart with other options. */
export type TestSimulator = Simulator & {
  /** Closes the running simulator and starts another one in its place. */
  restart(options: SimulatorOptions): Promise<void>;
};

/**
 * Starts one simulator for the suite that calls this, resets its main account before each test, and closes it at the
 * end. The result is filled when the first hook runs.
 */
export function useSimulator(options: SimulatorOptions = {}): TestSimulator {
  const simulator = holder();
  before(async () => void Object.assign(simulator, await startSimulator(options)));
  beforeEach(() => simulator.main.reset());
  after(() => simulator.close());
  return simulator;
}

/** Starts a simulator before each test and closes it after the test. */
export function useFreshSimulator(options: () => SimulatorOptions = () => ({})): TestSimulator {
  const simulator = holder();
  beforeEach(async () => void Object.assign(simulator, await startSimulator(options())));
  afterEach(() => simulator.close());
  return simulator;
}

function holder(): TestSimulator {
  const simulator = {
    async restart(options: SimulatorOptions) {
      await simulator.close();
      Object.assign(simulator, await startSimulator(options));
    },
  } as TestSimulator;
  return simulator;
}
