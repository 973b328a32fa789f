import { setTimeout } from "node:timers/promises";
import type { NodeRedVersion } from "../support/node-red/node-red-versions";
import { HandIn } from "./hand-in";
import type { KilledNodeRed } from "../support/crash/killed-node-red";
import { SeededRandom } from "../support/crash/seeded-random";
import type { ServiceProcess } from "../support/crash/service-process";
import type { Observed } from "./settle";
import { readStoreAfterKill, type StoreAfterKill } from "./store-after-kill";
import { withNodeRed } from "./with-node-red";
import { type PlannedMessage, planTraffic, type TrafficOptions } from "../support/crash/traffic";

export interface CrashRunOptions extends TrafficOptions {
  readonly version: NodeRedVersion;
  readonly seed: number;
  readonly kills: number;
  readonly keepMessages: "computer" | "memory";
  /** 0: no limit. With one, something waits at every kill. */
  readonly requestsPerSecond: number;
}

/** Part of the kills that hit a process which is still starting. */
const WHILE_STARTING = 0.15;
/** Part of the open messages that are done at most before a kill. */
const MOST_DONE = 0.8;
/** States of a request that was not made, or surely not taken. */
const WAITING = ["queued", "held", "parked"];
/** ms in which nothing happens until a run is taken to be at its end; the store says whether it is. */
const QUIET = 8_000;
/** Starts after the last kill that may find something left to do. */
const MOST_ROUNDS = 5;

/** What a run came to. Node-RED and service have ended. */
export interface CrashEvidence extends Observed {
  readonly options: CrashRunOptions;
  readonly nodeRed: KilledNodeRed;
  readonly killsWhileStarting: number;
  /** Messages that a kill hit before they were in the store, and that were handed in once more. */
  readonly handedInAgain: number;
}

/**
 * Hands messages in and kills Node-RED at random moments until all kills are made, then lets it finish.
 *
 * A message of the flow can be lost before it is in the store, by any design: its process dies first. What tells the
 * driver is the store, read while no process runs. A message that is in it is *taken*: it must get exactly one outcome.
 * One that is not must not have left, and is handed in again under the same id, as a flow would do that looks the id up
 * before it sends. So every message is to be sent exactly once, and the driver itself loses and repeats nothing.
 * Without a store there is nothing to look at: what the flow has answered counts as taken, the rest may be, and nothing is
 * handed in again.
 */
export class CrashRun {
  readonly #underWay = new Map<string, number>();
  readonly #breaches: string[] = [];
  #killsWhileStarting = 0;
  #kills = 0;

  private constructor(
    private readonly options: CrashRunOptions,
    private readonly service: ServiceProcess,
    private readonly nodeRed: KilledNodeRed,
    private readonly handIn: HandIn,
    private readonly planned: readonly PlannedMessage[],
    private readonly random: SeededRandom,
  ) {}

  /** Runs to the end. Both processes have ended when this resolves or rejects. */
  static async run(options: CrashRunOptions): Promise<CrashEvidence> {
    const random = new SeededRandom(options.seed);
    const planned = planTraffic(random, options);
    return withNodeRed(options.version, options, (nodeRed, service) => {
      const handIn = new HandIn(nodeRed, service, planned);
      return new CrashRun(options, service, nodeRed, handIn, planned, random).#run();
    });
  }

  async #run(): Promise<CrashEvidence> {
    const { kills } = this.options;
    while (this.#kills < kills) {
      await this.#killWhileRunning();
      for (;;) {
        await this.nodeRed.launch();
        if (this.#kills === kills || !this.random.chance(WHILE_STARTING)) break;
        await this.#killWhileStarting();
      }
      await this.nodeRed.untilStarted();
    }
    await this.#finish();
    const { options, planned, service, nodeRed, handIn } = this;
    return {
      options,
      planned,
      nodeRed,
      seen: nodeRed.log,
      service,
      taken: handIn.taken,
      underWay: this.#underWay,
      killsWhileStarting: this.#killsWhileStarting,
      handedInAgain: handIn.again,
      breaches: [...this.#breaches, ...nodeRed.breaches],
    };
  }

  /** Hands in its part of the messages, lets some of them come through, and kills in the middle. */
  async #killWhileRunning(): Promise<void> {
    const left = this.options.kills - this.#kills;
    const share = Math.ceil((this.handIn.waiting / left) * (0.5 + this.random.next()));
    await this.handIn.handIn(share, this.random.between(20, 400), QUIET);
    await this.handIn.untilDone(Math.floor(this.handIn.open * this.random.next() * MOST_DONE), QUIET);
    await setTimeout(this.random.between(0, 40));
    await this.nodeRed.kill();
    await this.#afterKill();
  }

  async #killWhileStarting(): Promise<void> {
    await setTimeout(this.random.next() * this.nodeRed.startTime * 1.2);
    await this.nodeRed.kill();
    this.#killsWhileStarting++;
    await this.#afterKill();
  }

  /** Looks at what the killed process has left. */
  async #afterKill(): Promise<void> {
    this.#kills++;
    const store = await this.#readRecords();
    if (store === null) return;
    for (const [number, state] of store.open) {
      if (state === "leaving") this.#underWay.set(number, this.#kills);
      if (WAITING.includes(state) && this.service.accepted.has(number)) {
        this.#breaches.push(`${number} is ${state} after kill ${this.#kills}, and the service took it`);
      }
    }
    for (const { id, recipients } of this.handIn.takeBack(store.taken)) {
      if (recipients.some((number) => this.service.arrivals.has(number))) {
        this.#breaches.push(`${id} left before it was in the store, kill ${this.#kills}`);
      }
    }
  }

  /** Lets everything come through without kills, and starts once more as long as the store has something left. */
  async #finish(): Promise<void> {
    for (let round = 1; ; round++) {
      await this.handIn.handIn(this.handIn.waiting, 400, QUIET);
      await this.handIn.untilDone(this.handIn.open, QUIET);
      await this.nodeRed.stop();
      const store = await this.#readRecords();
      if (store === null) return;
      this.handIn.takeBack(store.taken);
      if ((store.open.size === 0 && this.handIn.waiting === 0) || round === MOST_ROUNDS) return;
      await this.nodeRed.launch();
      await this.nodeRed.untilStarted();
    }
  }

  /** Reads what a process that has ended has left. @returns null without a store */
  async #readRecords(): Promise<StoreAfterKill | null> {
    await this.handIn.afterEnd();
    await this.service.read();
    if (this.options.keepMessages === "computer") {
      return readStoreAfterKill(this.nodeRed.storeFolder, this.handIn.firstNumbers());
    }
    this.handIn.keepAnswered();
    return null;
  }
}
