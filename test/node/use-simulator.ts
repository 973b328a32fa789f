import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator/index";
import { SendingStop } from "../../lib/runtime/account/sending-stop";
import { FormerPlaces } from "../../lib/runtime/store/former-places";
import { ACCOUNT, stopFlow, stopServer } from "./flow";

/** Node-RED has no user directory in these tests. */
const places = FormerPlaces.of(ACCOUNT, undefined);

/**
 * A simulator for the `describe` that calls this, filled before its first test and reset before each; flows end with
 * their test, and Node-RED with the last one.
 */
export function useSimulator(options: () => SimulatorOptions = () => ({})): Simulator {
  const simulator = {} as Simulator;
  before(async () => void Object.assign(simulator, await startSimulator(options())));
  beforeEach(() => simulator.main.reset());
  afterEach(async () => {
    await stopFlow();
    // A stop lasts longer than its flow, and so do places where messages were kept.
    await new SendingStop(ACCOUNT, false, () => {}).goOn(null);
    for (const place of await places.since(null)) await places.forget(place);
  });
  after(async () => {
    await simulator.close();
    await stopServer();
  });
  return simulator;
}
