import { setTimeout } from "node:timers/promises";
import { NETWORK_FAULTS, NO_TOKENS, REFUSED } from "./faults";
import type { Storage } from "./flows";
import type { Reach } from "./judge";
import { LEASE, type NodeRedProcess } from "./node-red-process";
import { SeededRandom } from "./seeded-random";
import type { World } from "./world";

type Scene = Readonly<{ world: World; nodeRed: NodeRedProcess; random: SeededRandom }>;
type Act = (scene: Scene) => unknown;
type Run = (scene: Scene) => Promise<void>;

interface Kind {
  /** Hits one Node-RED; others hit all, through the database or the network. */
  readonly on: "node" | "database" | "network";
  readonly reach: Reach;
  readonly storages: readonly Storage[];
  readonly weight: number;
  readonly run: Run;
  /** What nothing else may disturb meanwhile. */
  readonly holds?: readonly string[];
}

const ALL: readonly Storage[] = ["sqlite", "postgresql", "memory"];
const STORED: readonly Storage[] = ["sqlite", "postgresql"];
const SQLITE: readonly Storage[] = ["sqlite"];
const POSTGRESQL: readonly Storage[] = ["postgresql"];
const during =
  ([minMs, maxMs]: readonly [number, number], [begin, end]: readonly [Act, Act]): Run =>
  async (scene) => {
    try {
      await begin(scene);
      await setTimeout(scene.random.between(minMs, maxMs));
    } finally {
      await end(scene);
    }
  };
const SHORT_MS = [500, 3_000] as const;
const LONG_MS = [LEASE + 4_000, LEASE + 4_000] as const;
const LATE_MS = 20;

type Switches = Parameters<NodeRedProcess["switch"]>[0];
const switched = (on: Switches, off: Switches): Run =>
  during(SHORT_MS, [({ nodeRed }) => nodeRed.switch(on), ({ nodeRed }) => nodeRed.switch(off)]);

const FREEZE = [
  ({ nodeRed }: Scene) => nodeRed.signal("SIGSTOP"),
  ({ nodeRed }: Scene) => nodeRed.signal("SIGCONT"),
] as const;
const CUT = [
  ({ world, nodeRed }: Scene) => world.proxyOf(nodeRed).cut(),
  ({ world, nodeRed }: Scene) => world.proxyOf(nodeRed).listen(),
] as const;
const FREEZE_DATABASE = [
  ({ world }: Scene) => world.database.freeze(),
  ({ world }: Scene) => world.database.thaw(),
] as const;
const DELAY_COMMITS = [
  ({ world }: Scene) => world.delayCommits(LATE_MS),
  ({ world }: Scene) => world.delayCommits(0),
] as const;
/** Late commits make it likely that the process has just claimed requests. */
const freezeAmidCommits = during(LONG_MS, [
  async (scene) => {
    await DELAY_COMMITS[0](scene);
    await setTimeout(scene.random.between(500, 1_000));
    FREEZE[0](scene);
  },
  async (scene) => {
    FREEZE[1](scene);
    await DELAY_COMMITS[1](scene);
  },
]);

const end =
  (how: "kill" | "stop", again: number): Run =>
  async ({ world, nodeRed, random }) => {
    await setTimeout(random.between(0, 300));
    for (let isLast = false; !isLast; ) {
      await nodeRed.end(how);
      await world.noteEnd(nodeRed);
      await nodeRed.launch();
      isLast = random.next() >= again;
      if (!isLast) await setTimeout(random.between(200, 3_000));
    }
    await nodeRed.untilStarted();
  };
const restartDatabase =
  (how: "kill" | "stop"): Run =>
  async ({ world: { database } }) => {
    await database[how]();
    await database.start();
  };
const deploy =
  (type: "full" | "flows" | "nodes"): Run =>
  ({ world, nodeRed }) =>
    world.deploy(nodeRed, type);

const onNode = (reach: Reach, storages: readonly Storage[], weight: number, run: Run): Kind => ({
  ...{ on: "node", reach, storages, weight, run },
});
const onDatabase = (reach: Reach, run: Run): Kind => ({
  ...{ on: "database", reach, storages: POSTGRESQL, weight: 1, run },
});
const onNetwork = (fault: string): readonly [string, Kind] => {
  const reach = [REFUSED, "reset at the first bytes of a request"].includes(fault) ? "network" : "nothing";
  const run = during(SHORT_MS, [
    ({ world, random }) => world.service.run({ fault, every: random.between(3, 8) }),
    ({ world }) => world.service.run({ fault: null, every: 1 }),
  ]);
  return [`network: ${fault}`, { on: "network", reach, storages: ALL, weight: 1, run }];
};

export const DISTURBANCES: Readonly<Record<string, Kind>> = {
  "Node-RED killed": onNode("process", STORED, 8, end("kill", 0.2)),
  "Node-RED stopped and started": onNode("flows", STORED, 2, end("stop", 0)),
  "Node-RED frozen": onNode("process", ALL, 2, during(SHORT_MS, FREEZE)),
  "Node-RED frozen for longer than the lease": {
    ...onNode("process", POSTGRESQL, 2, freezeAmidCommits),
    holds: ["database", "network"],
  },
  "everything deployed": onNode("flows", ALL, 2, deploy("full")),
  "changed flows deployed": onNode("flows", ALL, 2, deploy("flows")),
  "changed nodes deployed": onNode("flows", ALL, 2, deploy("nodes")),
  "flows stopped and started": onNode("flows", ALL, 2, ({ world, nodeRed }) => world.stopFlows(nodeRed)),
  "clock set forward": onNode("nothing", ALL, 1, switched({ clockMs: 8_000 }, { clockMs: 0 })),
  "clock set back": onNode("nothing", ALL, 1, switched({ clockMs: -8_000 }, { clockMs: 0 })),
  "commits late": onNode("nothing", SQLITE, 2, switched({ commitMs: LATE_MS }, { commitMs: 0 })),
  "disk full": onNode("store", SQLITE, 2, switched({ isFull: true }, { isFull: false })),
  "database cut off": onNode("store", POSTGRESQL, 2, during(SHORT_MS, CUT)),
  "database cut off for longer than the lease": onNode("process", POSTGRESQL, 1, during(LONG_MS, CUT)),
  "database restarted": onDatabase("store", restartDatabase("stop")),
  "database killed": onDatabase("store", restartDatabase("kill")),
  "database frozen": onDatabase("store", during(SHORT_MS, FREEZE_DATABASE)),
  "commits of the database late": onDatabase("nothing", during(SHORT_MS, DELAY_COMMITS)),
  ...Object.fromEntries([...Object.keys(NETWORK_FAULTS), REFUSED, NO_TOKENS].map(onNetwork)),
};

export type Plan = Readonly<{ nodes: readonly string[]; network: readonly string[] }>;
type Picks = (isNetwork: boolean, count: number) => readonly string[];

function pickKinds(random: SeededRandom, storage: Storage): Picks {
  return (isNetwork, count) => {
    const kinds = Object.entries(DISTURBANCES)
      .filter(([, { storages, on }]) => storages.includes(storage) && (on === "network") === isNetwork)
      .flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name));
    return Array.from({ length: count }, () => random.pick(kinds));
  };
}

/** @returns a plan of random kinds, a third of them in the network */
export function planRandomly(seed: number, storage: Storage, count: number): Plan {
  const pick = pickKinds(new SeededRandom(seed), storage);
  const network = Math.floor(count / 3);
  return { nodes: pick(false, count - network), network: pick(true, network) };
}

const DEPLOYS = ["everything deployed", "changed flows deployed", "changed nodes deployed"];
const ANY_STORAGE = [...DEPLOYS, "everything deployed", "flows stopped and started", "clock set forward"];
const KILLS = Array.from({ length: 5 }, () => "Node-RED killed");
const ANY_STORE = [...ANY_STORAGE, ...KILLS, "Node-RED stopped and started"];
const FREEZES = Array.from({ length: 2 }, () => "Node-RED frozen for longer than the lease");
const SHORT: Readonly<Record<Storage, readonly string[]>> = {
  sqlite: [...ANY_STORE, "disk full", "commits late", "Node-RED frozen", ...DEPLOYS],
  postgresql: [...ANY_STORE, ...FREEZES, "database killed", "database cut off for longer than the lease"],
  memory: [...ANY_STORAGE, "Node-RED frozen"],
};
const SHORT_NETWORK = 6;

/** @returns a short plan with the kinds that each storage needs, in a random order */
export function planShortly(seed: number, storage: Storage): Plan {
  const random = new SeededRandom(seed);
  const nodes = SHORT[storage].map((name) => ({ name, order: random.next() }));
  return {
    nodes: nodes.sort((a, b) => a.order - b.order).map(({ name }) => name),
    network: pickKinds(random, storage)(true, SHORT_NETWORK),
  };
}
