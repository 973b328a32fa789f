import { execFileSync } from "node:child_process";
import { temporaryFolder } from "../../../test/support/node-red/packed-package";
import type { JobsTask } from "../processes/graphile-process";
import { withPostgresql } from "../sending";
import { figure } from "../report/statistics";
import { Worker } from "../worker";
import type { BenchRow, Situation } from "./row";

const LIBRARY = "graphile-worker@0.18";
const JOBS = 20_000;

/** Installs the library away from this package; null where the registry cannot be reached. */
async function install(): Promise<string | null> {
  const folder = await temporaryFolder("bench-graphile");
  const words = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", LIBRARY];
  try {
    execFileSync("npm", words, { stdio: "ignore" });
    return folder;
  } catch {
    console.log(`${LIBRARY} could not be installed, so its figures are left out`);
    return null;
  }
}

async function* worked(folder: string, url: string, rounds: number): AsyncIterable<Situation> {
  const worker = new Worker("graphile-process.ts");
  const task: JobsTask = { folder, url, jobs: JOBS };
  try {
    const rates: number[] = [];
    // The first one makes its tables, and the engine compiles.
    await worker.ask("work", task);
    while (rates.length < rounds) {
      rates.push(JOBS / (await worker.ask<number>("work", task)));
    }
    yield {
      situation: `${LIBRARY}, ${JOBS} jobs that do nothing, in batches`,
      figures: [figure("jobs worked off", "jobs/s", rates)],
    };
  } finally {
    await worker.stop();
  }
}

/**
 * What a library of queues does on the same server with the settings of its own benchmark, for scale: its jobs are claimed and completed
 * in batches, and jobs of a process that dies run again, which messages must not.
 */
export const SCALE_ROW: BenchRow = {
  id: "scale",
  run: async function* ({ rounds }) {
    const folder = await install();
    if (folder !== null) {
      yield* withPostgresql(async function* (server) {
        yield* worked(folder, await server.newDatabase(), rounds);
      });
    }
  },
};
