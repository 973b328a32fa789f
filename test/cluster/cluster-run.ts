import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { NodeRedVersion } from "../support/node-red/node-red-versions";
import { SeededRandom } from "../support/crash/seeded-random";
import {
  planLongLists,
  type PlannedMessage,
  planTraffic,
  type TrafficOptions,
} from "../support/crash/traffic";
import { ROOT } from "../support/node-red/packed-package";
import { Cluster } from "./cluster";
import type { LedgerEntry } from "./cluster-database";
import { Disturber } from "./disturber";
import { HandIn } from "./hand-in";
import type { Owner } from "./owner";
import type { Lane } from "./plan";
import { busiestSecond, type BusiestSecond } from "./rate";
import { seenByAll } from "./seen-by-all";
import type { Observed } from "./settle";
import { eventKey, type SettledEvents, settleEvents } from "./settle-events";

export interface ClusterRunOptions extends TrafficOptions {
  readonly version: NodeRedVersion;
  readonly seed: number;
  /** Node-REDs. */
  readonly count: number;
  /** Lists that are deployed, and recipients of each. */
  readonly longLists: number;
  readonly longList: number;
  /** At the start, for all of them together. */
  readonly requestsPerSecond: number;
  readonly plan: (random: SeededRandom) => readonly Lane[];
}

/** What a run came to. Every process has ended. */
export interface ClusterEvidence extends Observed {
  readonly options: ClusterRunOptions;
  readonly ledger: ReadonlyMap<string, readonly LedgerEntry[]>;
  readonly events: SettledEvents;
  /** Events that a Node-RED did not answer, and that the next one got. */
  readonly passedOn: number;
  readonly busiest: BusiestSecond;
  readonly killsWhileStarting: number;
  /** Hand-ins that a kill hit before the message was in the store. */
  readonly handedInAgain: number;
  /** Hand-ins that came back: the store could not be written, or the request had timed out. */
  readonly refusals: number;
}

/** ms without any progress after which a run has failed: longer than the lease, and what follows it. */
const PATIENCE = 90_000;
/** Of the last run. */
const LOGS = join(ROOT, ".cache", "cluster");
/** ms between two looks at the records of the service, which keep only the latest entries. */
const READ_EVERY = 3_000;

/**
 * Hands messages to the flows of several Node-REDs with one account and one database, while they, their connections and the database are
 * disturbed, and lets everything come to its end.
 *
 * What tells whether a message was taken is the database, read past the proxies: a kill may come before the message is there, and then it
 * is handed in again under the same id, as a flow would do that looks the id up before it sends. A message that a node returns because
 * the store cannot be written must not be there, and is handed in again too. So every message is to be sent exactly once, and the
 * driver itself loses and repeats nothing.
 */
export class ClusterRun {
  readonly #made = new Set<string>();
  #reading: Promise<void> = Promise.resolve();

  private constructor(
    private readonly options: ClusterRunOptions,
    private readonly cluster: Cluster,
    private readonly planned: readonly PlannedMessage[],
    private readonly handIn: HandIn,
    private readonly disturber: Disturber,
  ) {}

  /**
   * Runs to the end. Every process has ended when this resolves or rejects.
   * @returns null where PostgreSQL cannot be had here, which is said in the output
   */
  static async run(options: ClusterRunOptions): Promise<ClusterEvidence | null> {
    const random = new SeededRandom(options.seed);
    const planned = planTraffic(random, options);
    const longLists = planLongLists(planned, options.longLists, options.longList);
    const plan = options.plan(random);
    const cluster = await Cluster.start(options.version, options.count, options.requestsPerSecond);
    if (cluster === null) return null;
    try {
      const { nodes, service, database } = cluster;
      const handIn = new HandIn(nodes, service, database, new SeededRandom(options.seed + 1), planned);
      const readService = (): Promise<void> => run.#readService();
      const disturber = new Disturber(cluster, handIn, options, plan, longLists, readService);
      const run: ClusterRun = new ClusterRun(options, cluster, [...planned, ...longLists], handIn, disturber);
      return await run.#run();
    } catch (error) {
      console.log(`${cluster.logs()}\nEverything is in ${LOGS}`);
      throw error;
    } finally {
      cluster.keepLogs(LOGS);
      await cluster.stop();
    }
  }

  async #run(): Promise<ClusterEvidence> {
    const { handIn, disturber } = this;
    const began = Date.now();
    let over = false;
    const reading = (async () => {
      while (!over) {
        await this.#readService();
        await setTimeout(READ_EVERY);
      }
    })();
    const handing = handIn.run();
    const disturbing = disturber.run();
    try {
      await Promise.race([disturbing, handing.then(() => disturbing), reading.then(() => disturbing)]);
      await Promise.race([this.#finish(), handing, reading]);
    } finally {
      over = true;
      handIn.end();
      disturber.end();
      // What is being done to a process is done before all of them are ended.
      await Promise.allSettled([disturbing, handing, reading]);
    }
    return this.#evidence(began);
  }

  /** The records of the service are read one after the other. */
  #readService(): Promise<void> {
    const next = this.#reading.then(async () => {
      await this.cluster.service.read();
      for (const { payload } of await this.cluster.service.freshEvents()) this.#made.add(eventKey(payload));
    });
    this.#reading = next.catch(() => {});
    return next;
  }

  /** Lets everything come to its end, without disturbances. */
  async #finish(): Promise<void> {
    const { handIn, cluster } = this;
    const { database, service } = cluster;
    handIn.allow(1);
    let last = "";
    let changed = performance.now();
    for (;;) {
      const open = await database.open();
      const pending = await service.pendingEvents();
      const now = JSON.stringify([handIn.waiting, handIn.open, open, pending]);
      if (now === `[0,0,{},0]`) return;
      if (now !== last) changed = performance.now();
      last = now;
      if (performance.now() - changed > PATIENCE) {
        throw new Error(
          `nothing has happened for ${PATIENCE / 1000} s: ${handIn.waiting} messages wait to be handed in, ` +
            `the store has ${JSON.stringify(open)}, ${pending} events are pending, ${handIn.open} messages have not all of ` +
            `their results: ${handIn.missing.slice(0, 20).join(", ")}`,
        );
      }
      await setTimeout(200);
    }
  }

  async #evidence(began: number): Promise<ClusterEvidence> {
    const { cluster, handIn, disturber, options, planned } = this;
    const { nodes, database, service } = cluster;
    const ledger = await database.ledger();
    const owners = await this.#owners();
    await Promise.all(nodes.map(({ nodeRed }) => nodeRed.stop()));
    handIn.read();
    await this.#readService();
    const seen = seenByAll(nodes.map(({ nodeRed }) => nodeRed.log));
    const report = await cluster.front.report();
    return {
      options,
      planned,
      ledger,
      owners,
      seen,
      service,
      underWay: disturber.underWay,
      disturbances: disturber.done,
      ungrouped: handIn.ungrouped,
      takers: handIn.takers,
      events: settleEvents(this.#made, seen.events, disturber.done),
      passedOn: cluster.passedOn.size,
      busiest: busiestSecond(report, began, disturber.rateUntil ?? Date.now()),
      killsWhileStarting: disturber.killsWhileStarting,
      handedInAgain: handIn.again,
      refusals: handIn.refusals,
      breaches: [
        ...handIn.breaches,
        ...disturber.breaches,
        ...nodes.flatMap(({ name, nodeRed }) => nodeRed.breaches.map((each) => `Node-RED ${name}: ${each}`)),
      ],
    };
  }

  /** Which process each instance of the store was. */
  async #owners(): Promise<ReadonlyMap<string, Owner>> {
    const owners = new Map<string, Owner>();
    for (const { id, process, startedAt } of await this.cluster.database.instances()) {
      for (const { name, at: node, lives } of this.cluster.nodes) {
        const life = lives.find(
          ({ pid, from, killedAt }) =>
            pid === process && startedAt >= from - 1_000 && startedAt <= killedAt + 1_000,
        );
        if (life !== undefined) owners.set(id, { name, node, killedAt: life.killedAt });
      }
    }
    return owners;
  }
}
