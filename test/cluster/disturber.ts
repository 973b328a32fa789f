import { SeededRandom } from "../support/crash/seeded-random";
import { waitFor } from "../support/wait-for";
import type { PostgresqlServer } from "../support/store/postgresql-server";
import type { Cluster } from "./cluster";
import type { PlannedMessage } from "../support/crash/traffic";
import type { ClusterNode } from "./cluster-node";
import type { Disturbance, DisturbanceKind } from "./disturbances";
import type { HandIn } from "./hand-in";
import type { Lane, Step } from "./plan";

/** Part of the kills after which the next one hits the process while it starts. */
const WHILE_STARTING = 0.15;
/** Part of the open messages that are done at most before a kill, and ms to wait for them. */
const MOST_DONE = 0.8;
const MOST_WAIT = 4_000;
/** Part of all messages that are handed in before anything is done, and SMS that people write at each step. */
const AT_START = 0.05;
const REPLIES = 3;
/** ms after its end in which something still has effects, as time limits that have passed meanwhile. */
const AFTERMATH = 2_000;

/** What is done for a time, and what ends it: to PostgreSQL, and to one Node-RED or its connection. */
type Effect<Target> = readonly [begin: (target: Target) => unknown, end: (target: Target) => unknown];
const STORE_STOPS: Effect<PostgresqlServer> = [(server) => server.freeze(), (server) => server.thaw()];
const STORE_EFFECTS: Partial<Record<DisturbanceKind, Effect<PostgresqlServer>>> = {
  restart: [(server) => server.stop(), (server) => server.start()],
  crash: [(server) => server.kill(), (server) => server.start()],
  frozenStore: STORE_STOPS,
  pausedStore: STORE_STOPS,
};
const NODE_STOPS: Effect<ClusterNode> = [({ nodeRed }) => nodeRed.freeze(), ({ nodeRed }) => nodeRed.thaw()];
const CUT: Effect<ClusterNode> = [({ proxy }) => proxy.cut(), ({ proxy }) => proxy.restore()];
const NODE_EFFECTS: Partial<Record<DisturbanceKind, Effect<ClusterNode>>> = {
  freeze: NODE_STOPS,
  pause: NODE_STOPS,
  cut: CUT,
  interrupt: CUT,
  stall: [({ proxy }) => proxy.stall(), ({ proxy }) => proxy.flow()],
};

interface DisturberOptions {
  readonly seed: number;
  readonly requestsPerSecond: number;
}

/** Does what the plan says to the Node-REDs, their connections and PostgreSQL, and looks at what each kill has left. */
export class Disturber {
  readonly done: Disturbance[] = [];
  readonly underWay = new Map<string, number>();
  readonly breaches: string[] = [];
  killsWhileStarting = 0;
  /** When the rate was changed first: epoch ms. */
  rateUntil: number | null = null;
  #rate: number;
  #kills = 0;
  #lists = 0;
  #begun = 0;
  #ended = false;
  readonly #steps: number;

  constructor(
    private readonly cluster: Cluster,
    private readonly handIn: HandIn,
    private readonly options: DisturberOptions,
    private readonly plan: readonly Lane[],
    private readonly longLists: readonly PlannedMessage[],
    private readonly readService: () => Promise<void>,
  ) {
    this.#rate = options.requestsPerSecond;
    this.#steps = plan.flat().length;
  }

  /** Resolves when everything is done. */
  async run(): Promise<void> {
    this.handIn.allow(AT_START);
    await Promise.all(
      this.plan.map((lane, at) => this.#lane(lane, new SeededRandom(this.options.seed + 100 + at))),
    );
  }

  /** Nothing more is begun. */
  end(): void {
    this.#ended = true;
  }

  async #lane(lane: Lane, random: SeededRandom): Promise<void> {
    for (const step of lane) {
      await this.#pass(step.after);
      if (this.#ended) return;
      await this.#step(step, random).catch((error: unknown) => {
        this.end();
        throw error;
      });
    }
  }

  async #step(step: Step, random: SeededRandom): Promise<void> {
    const { service } = this.cluster;
    this.#begun++;
    for (let at = 0; at < REPLIES; at++)
      await service.receiveSms("41799999999", `Reply ${this.#begun} ${at}`);
    this.handIn.allow(AT_START + ((1 - AT_START) * this.#begun) / this.#steps);
    const onStore = STORE_EFFECTS[step.kind];
    if (onStore !== undefined) {
      await this.#disturb(step, this.cluster.server, onStore, this.cluster.nodes, null);
      return;
    }
    const node = await this.#takeNode(step, random);
    try {
      const effect = NODE_EFFECTS[step.kind];
      if (effect !== undefined) await this.#disturb(step, node, effect, [node], node);
      else if (step.kind === "kill") await this.#killAndStart(node, random);
      else if (step.kind === "deploy") await this.#deploy(node, step);
      else await this.#deployList(node, step, random);
    } finally {
      node.busy = false;
    }
  }

  /** One that nothing else is done to. */
  #takeNode({ kind, node: wanted }: Step, random: SeededRandom): Promise<ClusterNode> {
    return waitFor(
      `a Node-RED for: ${kind}`,
      () => {
        const free = this.cluster.nodes.filter(({ at, busy }) => !busy && (wanted === null || at === wanted));
        if (free.length === 0) return null;
        const node = random.pick(free);
        node.busy = true;
        return node;
      },
      300_000,
    );
  }

  /** @param troubled the Node-REDs that suffer from it */
  async #disturb<Target>(
    { kind, ms }: Step,
    target: Target,
    [begin, end]: Effect<Target>,
    troubled: readonly ClusterNode[],
    node: ClusterNode | null,
  ): Promise<void> {
    for (const each of troubled) each.beginTrouble();
    const from = Date.now();
    try {
      await begin(target);
      await this.#pass(ms);
    } finally {
      await end(target);
      for (const each of troubled) each.endTrouble();
    }
    this.#note(kind, node, from);
  }

  /** A long list has come into the store and begins to leave. The process that starts finds it open, with what its own former life left. */
  async #deployList(node: ClusterNode, step: Step, random: SeededRandom): Promise<void> {
    const list = this.longLists[this.#lists++];
    if (list === undefined) throw new Error("there are more deploys of long lists than lists");
    const other = await this.#takeNode({ ...step, node: null }, random);
    try {
      await this.#kill(other, "kill");
      this.handIn.handTo(node, list);
      await this.#untilStored(node);
      await other.launch();
      const started = other.nodeRed.untilStarted();
      await Promise.all([started, this.#deploy(node, step)]);
      other.takes = true;
    } finally {
      other.busy = false;
    }
  }

  /** The node takes nothing more, and everything that was handed to it is in the store. */
  async #untilStored(node: ClusterNode): Promise<void> {
    const { database } = this.cluster;
    node.takes = false;
    await this.handIn.untilHandedIn(node);
    let missing: readonly string[] = [];
    await waitFor(
      () =>
        `everything that was handed to Node-RED ${node.name} to be in the store, without ` +
        this.handIn.missingOf(missing).join(", "),
      async () => {
        const stored = await database.taken(this.handIn.firstNumbers(node));
        missing = this.handIn.firstNumbers(node).filter((number) => !stored.has(number));
        return missing.length === 0;
      },
      // A list of 100,000 while each commit takes longer, on a machine with other work.
      600_000,
    );
  }

  /** Everything that was handed to the node is in the store before it; what waits and what is under way stays. */
  async #deploy(node: ClusterNode, { kind, requestsPerSecond }: Step): Promise<void> {
    await this.#untilStored(node);
    if (requestsPerSecond !== null) {
      this.rateUntil ??= Date.now();
      this.#rate = requestsPerSecond;
    }
    this.handIn.noteGroups(node);
    const from = Date.now();
    await node.nodeRed.deploy(this.cluster.flows(this.#rate));
    node.takes = true;
    this.#note(kind, node, from);
  }

  /** Kills while messages are under way, and starts anew; sometimes kills once more meanwhile. */
  async #killAndStart(node: ClusterNode, random: SeededRandom): Promise<void> {
    const { handIn } = this;
    const wanted = handIn.done.size + Math.floor(handIn.open * random.next() * MOST_DONE);
    const end = performance.now() + MOST_WAIT;
    while (handIn.done.size < wanted && performance.now() < end) await this.#pass(5);
    await this.#pass(random.between(0, 40));
    await this.#kill(node, "kill");
    for (;;) {
      if (this.#ended) return;
      await node.launch();
      if (!random.chance(WHILE_STARTING)) break;
      await this.#pass(random.next() * node.nodeRed.startTime * 1.2);
      this.killsWhileStarting++;
      await this.#kill(node, "killStarting");
    }
    await node.nodeRed.untilStarted();
    node.takes = true;
  }

  /** Kills a process, and waits until the store shows what it has left. */
  async #kill(node: ClusterNode, kind: "kill" | "killStarting"): Promise<void> {
    const { handIn } = this;
    const { database, service, nodes } = this.cluster;
    node.takes = false;
    const from = Date.now();
    const life = await node.kill();
    this.#note(kind, node, from);
    this.#kills++;
    await handIn.untilHandedIn(node);
    node.nodeRed.log.nextLife();
    await database.untilGone(() => {
      const open = new Set(nodes.flatMap(({ proxy }) => proxy.openPorts));
      return [...node.proxy.ports].filter((port) => !open.has(port));
    });
    const instances = await database.instancesOf(life.pid, life.from);
    for (const number of await database.underWay(instances, life.killedAt))
      this.underWay.set(number, this.#kills);
    await this.readService();
    for (const number of await database.waiting()) {
      if (service.accepted.has(number)) {
        this.breaches.push(`${number} waits after kill ${this.#kills}, and the service took it`);
      }
    }
    const stored = await database.taken(handIn.firstNumbers(node));
    await this.readService();
    // In the same turn: what is given back is handed in again, and may arrive at once.
    const back = handIn.takeBack(node, stored);
    for (const { id, recipients } of back) {
      if (recipients.some((number) => service.arrivals.has(number))) {
        this.breaches.push(`${id} left before it was in the store, kill ${this.#kills}`);
      }
    }
  }

  #note(kind: DisturbanceKind, node: ClusterNode | null, from: number): void {
    this.done.push({ kind, node: node?.at ?? null, from, to: Date.now() + AFTERMATH });
  }

  /** Less when the run has failed meanwhile. */
  async #pass(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (!this.#ended && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(100, end - performance.now())));
    }
  }
}
