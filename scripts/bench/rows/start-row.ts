import { readFileSync } from "node:fs";
import type { Flows } from "../../../test/support/node-red/admin-client";
import { launchNodeRed } from "../../../test/support/node-red/node-red";
import { NODE_RED_VERSIONS, type NodeRedVersion } from "../../../test/support/node-red/node-red-versions";
import { linkInto, temporaryFolder } from "../../../test/support/node-red/packed-package";
import { START_EMPTY, START_NODES } from "../report/goals";
import type { BenchOptions } from "../options";
import { figuresAgainst, figuresOf, inTurns } from "../report/statistics";
import type { BenchRow, Situation } from "./row";

const TAB = { id: "tab", type: "tab", label: "Start" };
const TYPES = [
  "sms-send",
  "whatsapp-send",
  "rcs-send",
  "webhook-in",
  "message-wait",
  "message-log",
  "opt-out",
];
const FIFTY: Flows = [
  TAB,
  { id: "account", type: "messaging-account", service: "simulator", keepMessages: "memory" },
  ...Array.from({ length: 49 }, (_, at) => {
    const type = TYPES[at % TYPES.length] as string;
    const own = type === "webhook-in" ? { path: `/hook-${at}` } : {};
    return { id: `node-${at}`, type, z: "tab", account: "account", x: 100, y: 40 * at, wires: [], ...own };
  }),
];

/** What a Node-RED is started with. */
interface Case {
  readonly installed: boolean;
  readonly flows: Flows;
}
const BARE: Case = { installed: false, flows: [TAB] };
const CASES: readonly Case[] = [BARE, { installed: true, flows: [TAB] }, { installed: true, flows: FIFTY }];
/** Of all cases but the first. */
const SITUATIONS = [START_EMPTY, START_NODES];

interface Sample {
  /** ms until its flows run. */
  readonly time: number;
  /** MB of it in memory then. */
  readonly memory: number;
}

async function sample(version: NodeRedVersion, userDir: string, flows: Flows): Promise<Sample> {
  const start = performance.now();
  const nodeRed = await launchNodeRed({ version, userDir, flows });
  try {
    await nodeRed.waitForLog(/Started flows/);
    const time = performance.now() - start;
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${nodeRed.pid}/status`, "utf8")) ?? [];
    return { time, memory: Number(kilobytes) / 1000 };
  } finally {
    await nodeRed.stop();
  }
}

async function* run({ rounds }: BenchOptions): AsyncIterable<Situation> {
  for (const version of NODE_RED_VERSIONS) {
    const folders = await Promise.all(
      CASES.map(async ({ installed }) => {
        const folder = await temporaryFolder("bench");
        if (installed) await linkInto(folder);
        return folder;
      }),
    );
    // The first round warms up.
    const taken = await inTurns([...CASES.keys()], rounds + 1, (at) =>
      sample(version, folders[at] as string, (CASES[at] as Case).flows),
    );
    const [bare, ...others] = [...CASES.keys()].map((at) => taken(at).slice(1));
    const of = figuresOf(bare ?? []);
    yield {
      situation: `start of an empty Node-RED, Node-RED ${version}`,
      figures: [of("time", "ms", ({ time }) => time), of("memory", "MB", ({ memory }) => memory)],
    };
    yield* others.map((samples, at) => {
      const beyond = figuresAgainst(samples, bare ?? []);
      return {
        situation: `${SITUATIONS[at]}, Node-RED ${version}`,
        figures: [
          beyond("time beyond an empty Node-RED", "ms", (one, empty) => one.time - empty.time),
          beyond("memory beyond an empty Node-RED", "MB", (one, empty) => one.memory - empty.memory),
        ],
      };
    });
  }
}

/** What the package adds to the start of Node-RED where no node of it is in use, and with fifty. */
export const START_ROW: BenchRow = { id: "start", run };
