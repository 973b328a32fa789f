import type { NodeRedVersion } from "../support/node-red/node-red-versions";
import { waitFor } from "../support/wait-for";
import { post, TAKEN } from "../support/crash/post";
import type { KilledNodeRed } from "../support/crash/killed-node-red";
import type { SeededRandom } from "../support/crash/seeded-random";
import type { ServiceProcess } from "../support/crash/service-process";
import { readStoreAfterKill, type StoreAfterKill } from "./store-after-kill";
import { withNodeRed } from "./with-node-red";

/** ms until everybody was sent to, on a busy machine too. */
const PATIENCE = 120_000;

/** What came of a list of people that was sent to one by one, with a kill in the middle. */
export interface NewUserEvidence {
  /** Numbers. */
  readonly people: readonly string[];
  /** People that the service had a message for at the kill. */
  readonly sentAtKill: number;
  readonly storeAtKill: StoreAfterKill;
  readonly nodeRed: KilledNodeRed;
  readonly service: ServiceProcess;
}

/**
 * What a new user may try: a list of people, a Split node, a send node with a rate; killed in the middle, started again.
 * Node-RED and service have ended when this resolves.
 */
export async function sendAsNewUser(
  version: NodeRedVersion,
  random: SeededRandom,
  count: number,
  requestsPerSecond: number,
): Promise<NewUserEvidence> {
  const people = Array.from({ length: count }, (_none, at) => String(41_700_000_000 + at));
  const flow = { keepMessages: "computer", requestsPerSecond } as const;
  return withNodeRed(version, flow, async (nodeRed, service) => {
    if ((await post(`${nodeRed.url}/people`, people)) !== TAKEN)
      throw new Error("the flow did not take the list");
    const middle = random.between(Math.ceil(count / 4), Math.ceil(count / 2));
    await waitFor(
      () => `${middle} messages at the service; there are ${service.people}`,
      async () => {
        await service.read();
        return service.people >= middle;
      },
      PATIENCE,
    );
    await nodeRed.kill();
    await service.read();
    nodeRed.log.nextLife();
    const sentAtKill = service.people;
    const storeAtKill = await readStoreAfterKill(nodeRed.storeFolder, people);

    await nodeRed.launch();
    await nodeRed.untilStarted();
    await waitFor(
      () => `a result for everybody; there are ${nodeRed.log.results.size} of ${count}`,
      () => {
        nodeRed.log.read();
        return nodeRed.log.results.size >= count;
      },
      PATIENCE,
    );
    await nodeRed.stop();
    await service.read();
    return { people, sentAtKill, storeAtKill, nodeRed, service };
  });
}
