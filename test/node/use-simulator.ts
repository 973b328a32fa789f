import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator/index";
import { stopFlow, stopServer } from "./flow";

/**
 * A simulator for the `describe` that calls this, filled before its first test and reset before each; flows end with
 * their test, and Node-RED with the last one.
 */
export function useSimulator(options: () => SimulatorOptions = () => ({})): Simulator {
  const simulator = {} as Simulator;
  before(async () => void Object.assign(simulator, await startSimulator(options())));
  beforeEach(() => simulator.main.reset());
  afterEach(stopFlow);
  after(async () => {
    await simulator.close();
    await stopServer();
  });
  return simulator;
}
