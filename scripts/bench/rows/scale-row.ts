import { execFileSync } from "node:child_process";
import { temporaryFolder } from "../../../test/support/node-red/packed-package";
import { startPostgresql } from "../../../test/support/store/postgresql-server";
import type { JobsTask } from "../processes/graphile-process";
import { figure } from "../statistics";
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

async function* run({ rounds }: { readonly rounds: number }): AsyncIterable<Situation> {
  const folder = await install();
  const server = folder === null ? null : await startPostgresql();
  if (folder === null || server === null) {
    return;
  }
  const worker = new Worker("graphile-process.ts");
  try {
    const url = await server.newDatabase();
    const rates: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const task: JobsTask = { folder, url, jobs: JOBS };
      const seconds = await worker.ask<number>("work", task);
      // The first one makes its tables, and the engine compiles.
      if (round > 0) rates.push(JOBS / seconds);
    }
    yield {
      situation: `${LIBRARY}, ${JOBS} jobs that do nothing, in batches`,
      figures: [figure("jobs worked off", "jobs/s", rates)],
    };
  } finally {
    await worker.stop();
    await server.remove();
  }
}

/**
 * What a library of queues does on the same server with the settings of its own benchmark, for scale: its jobs are claimed and completed
 * in batches, and jobs of a process that dies run again, which messages must not.
 */
export const SCALE_ROW: BenchRow = { id: "scale", run };
